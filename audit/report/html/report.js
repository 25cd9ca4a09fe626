// SPDX-License-Identifier: Apache-2.0
//
// Draws the page of an audit. html.cc says how its data is laid out.
'use strict';

const SEVERITIES = {
  error: '✕ error', warning: '▲ warning', note: '● note',
};
const VERDICTS = {
  pass: '✓ PASS', fail: '✕ FAIL', invalid: '✕ NOT AUDITED',
};
const WEIGHTS = ['attached', 'shuffled', 'alias'];
const MOST_TENSORS = 100;
const MOST_MEMBERS = 60;

// ---- What the data says, without its numbering -----------------------------

const baseName = path => path.split('/').at(-1);
const more = count => (count > 0 ? ` and ${grouped(count)} more` : '');
const stretch = ([first, last]) =>
  (first === last ? `${first}` : `${first}–${last}`);

class Report {
  constructor(report) {
    Object.assign(this, report);
    this.ranks_read = this.ranks.map(rank => rank.rank);
    for (const tensor of this.tensors) {
      tensor.weight = WEIGHTS.includes(tensor.rows[0].kind);
      tensor.ranks = tensor.rows.flatMap(row => this.rank_sets[row.ranks]);
      tensor.findings = [];
    }
    this.all_findings = [];
    for (const finding of this.findings) this.number(finding);
    this.families = this.families.map(name => ({name, tensors: []}));
    for (const tensor of this.tensors) {
      this.families[tensor.family].tensors.push(tensor);
    }
  }

  // Gives a finding and its consequences their places on the page.
  number(finding) {
    this.all_findings.push(finding);
    finding.anchor = `finding-${finding.id}`;
    const tensors = finding.members.filter(Number.isInteger)
      .map(i => this.tensors[i]);
    for (const tensor of tensors) tensor.findings.push(finding);
    const own = tensors.map(tensor => tensor.column)
      .filter(column => column !== undefined);
    // The layers of a finding are numbers; of a tensor's the axis is known.
    const axis = (this.layers[0] || '').replace(/\d+$/, '');
    finding.columns = new Set(own.length > 0 ? own
      : finding.layers.map(layer => this.layers.indexOf(axis + layer)));
    for (const consequence of finding.consequences[0]) this.number(consequence);
  }

  ranksText(ranks) {
    if (ranks.length === this.ranks_read.length) {
      return ranks.length === 1 ? `rank ${ranks[0]}`
        : `all ${ranks.length} ranks`;
    }
    return `${ranks.length === 1 ? 'rank' : 'ranks'} ${rangesText(ranks)}`;
  }

  rowOn(tensor, rank) {
    return tensor.rows.find(row => this.rank_sets[row.ranks].includes(rank));
  }
  missingOn(tensor, rank) {
    const row = this.rowOn(tensor, rank);
    return row !== undefined && row.critical && !row.consumed;
  }
  // The uses of a tensor in a column on a rank.
  usesOn(tensor, column, rank) {
    const cell = tensor.cells.find(([at]) => at === column);
    const group = cell && cell[1].find(([ranks]) =>
      this.rank_sets[ranks].includes(rank));
    return group ? group[1] : [];
  }
  readsOn(tensor, column, rank) {
    return this.usesOn(tensor, column, rank)
      .reduce((sum, use) => sum + (use[2] ? 0 : use[3]), 0);
  }

  // Groups ranks by what a function says of them: [[ranks, value], …].
  byRank(ranks, valueOf) {
    const groups = new Map();
    for (const rank of ranks) {
      const value = valueOf(rank);
      const key = JSON.stringify(value);
      if (!groups.has(key)) groups.set(key, [[], value]);
      groups.get(key)[0].push(rank);
    }
    return [...groups.values()];
  }
}

const subjectOf = finding => finding.tensor || finding.task_type ||
  (finding.event === undefined ? '' : `event ${finding.event}`);
const messageOf = finding => `${subjectOf(finding)}${
  finding.members.length > 1 ? ': each ' : ' '}${finding.found}`.trim();

// ---- The map ----------------------------------------------------------------

// The counts of one row of the map on the chosen ranks; a column in which
// nothing is declared has none.
class MapRow {
  constructor(report, family, ranks) {
    this.family = family;
    this.report = report;
    this.ranks = ranks.filter(rank =>
      family.tensors.some(tensor => tensor.ranks.includes(rank)));
    this.own = family.tensors.some(tensor => tensor.column !== undefined);
    this.weight = family.tensors.some(tensor => tensor.weight);
    this.cells = report.layers.map((_, column) => this.cellAt(column));
    const other = this.cellAt(-1);
    this.outside = other && other.reads > 0 ? other : null;
    this.total = this.fewest(family.tensors, (tensor, rank) => {
      const row = report.rowOn(tensor, rank);
      return row ? row.reads : 0;
    });
    this.total.missing = family.tensors.some(tensor =>
      this.ranks.some(rank => report.missingOn(tensor, rank)));
    this.total.findings = this.own ? []
      : family.tensors.flatMap(tensor => tensor.findings);
    this.markOdd();
  }

  cellAt(column) {
    const tensors = this.family.tensors.filter(tensor =>
      column >= 0 && tensor.column !== undefined ? tensor.column === column
        : tensor.column === undefined);
    if (tensors.length === 0) return null;
    const cell = this.fewest(tensors, (tensor, rank) =>
      this.report.readsOn(tensor, column, rank));
    cell.column = column;
    cell.missing = tensors.some(tensor => tensor.column !== undefined &&
      this.ranks.some(rank => this.report.missingOn(tensor, rank)));
    cell.findings = tensors.flatMap(tensor => tensor.findings)
      .filter(finding => finding.columns.has(column));
    return cell;
  }

  // The fewest reads over the chosen ranks, and whether ranks differ.
  fewest(tensors, readsOf) {
    const reads = this.ranks.map(rank =>
      tensors.reduce((sum, tensor) => sum + readsOf(tensor, rank), 0));
    const fewest = Math.min(...reads);
    return {row: this, tensors, reads: fewest,
            differ: reads.some(count => count !== fewest)};
  }

  // Odd: a weight's count that few layers have, where more than half of them
  // share another. What few are is what the rule layer-gap says.
  markOdd() {
    const cells = this.cells.filter(cell => cell !== null);
    const support = new Map();
    for (const {reads} of cells) {
      support.set(reads, (support.get(reads) || 0) + 1);
    }
    const [usual, most] = [...support].reduce(
      (best, entry) => (entry[1] > best[1] ? entry : best), [0, 0]);
    if (!this.weight || usual === 0 || most * 2 <= cells.length) return;
    const few = Math.max(2, cells.length / 8);
    for (const cell of cells) {
      cell.usual = usual;
      cell.odd = cell.reads !== usual && support.get(cell.reads) <= few;
    }
  }
}

const marking = finding => finding.severity !== 'note';

function cellText(cell) {
  const {report, family} = cell.row;
  const where = cell.column === undefined ? 'in all'
    : cell.column < 0 ? 'outside the layers' : report.layers[cell.column];
  const marks = [
    cell.missing && 'missing: no task reads it',
    cell.odd && `odd: most layers have ${cell.usual}`,
    cell.differ && 'ranks differ',
    cell.findings.some(marking) && 'has findings',
  ].filter(Boolean);
  return `${family.name}, ${where}: ${counted(cell.reads, 'reader')}${
    marks.map(mark => '; ' + mark).join('')}`;
}

function mapCell(cell, most) {
  if (cell === null) return el('td', {class: 'absent'});
  const text = cellText(cell);
  // A tensor of no layer is not expected in each.
  const none = cell.reads === 0 && cell.column !== undefined && !cell.odd &&
    cell.tensors.every(tensor => tensor.column === undefined);
  const td = el('td', {
    class: ['cell', cell.column === undefined ? 'total' : null,
            cell.missing ? 'missing'
              : none ? null : `h${heatStep(cell.reads, most)}`,
            cell.odd ? 'odd' : null,
            cell.findings.some(marking) ? 'found' : null]
      .filter(Boolean).join(' '),
    role: 'gridcell', tabindex: -1, title: text, 'aria-label': text,
    'aria-selected': 'false',
  }, none ? '' : `${cell.missing ? '✕' : ''}${compact(cell.reads)}${
    cell.differ ? '±' : ''}`);
  td.fact = cell;
  return td;
}

class HeatMap {
  constructor(report) {
    this.report = report;
    this.chosen = 'worst';
    this.scratch = false;
    this.query = '';
    this.box = el('div', {class: 'scroll map'});
    this.panel = el('aside', {class: 'panel', id: 'facts', 'aria-live': 'polite',
                              'aria-label': 'Facts of the chosen cell'});
    this.rank = el('select', {id: 'rank'},
      el('option', {value: 'worst'}, 'fewest readers over ranks'),
      report.ranks_read.map(rank => el('option', {value: rank}, `rank ${rank}`)));
    this.rank.addEventListener('change', () => {
      this.chosen = this.rank.value;
      this.draw();
    });
    const scratch = el('input', {type: 'checkbox', id: 'scratch'});
    scratch.addEventListener('change', () => {
      this.scratch = scratch.checked;
      this.draw();
    });
    this.element = el('section', {id: 'map', 'aria-labelledby': 'map-title'},
      el('h2', {id: 'map-title'}, 'Readers by family and layer'),
      el('p', {class: 'soft'},
        'How many operands read each tensor. A row is a family of tensors, or ' +
        'one tensor of no layer with the reads of each layer’s tasks.'),
      el('div', {class: 'controls'},
        report.ranks_read.length > 1
          ? el('label', {}, 'Show', this.rank) : null,
        el('label', {}, scratch, 'Scratch tensors too')),
      legend(), this.box, this.panel);
    this.draw();
  }

  draw() {
    const {report} = this;
    const ranks = this.chosen === 'worst' ? report.ranks_read
      : [Number(this.chosen)];
    const matches = family => family.tensors.some(tensor =>
      contains(tensor.name, this.query) || contains(family.name, this.query));
    const rows = report.families.filter(matches)
      .map(family => new MapRow(report, family, ranks))
      .filter(row => row.ranks.length > 0);
    const groups = [
      ['Weights, tables and other attached tensors',
       rows.filter(row => row.weight)],
      ['Scratch', this.scratch ? rows.filter(row => !row.weight) : []],
    ].filter(([, members]) => members.length > 0);
    if (groups.length === 0) {
      this.box.replaceChildren(el('p', {class: 'empty'},
        'No family or tensor matches.'));
      this.hint();
      return;
    }
    const most = Math.max(1, ...rows.flatMap(row => row.cells)
      .filter(cell => cell !== null).map(cell => cell.reads));
    const outside = groups.some(([, members]) =>
      members.some(row => row.outside));
    const width = report.layers.length + (outside ? 3 : 2);
    const grid = el('table', {class: 'heat', role: 'grid',
                              'aria-label': 'Readers by family and layer'},
      this.head(outside),
      this.findingsRow(outside),
      groups.map(([title, members]) => el('tbody', {},
        el('tr', {class: 'group'}, el('th', {colspan: width}, title)),
        members.map(row => el('tr', {},
          el('th', {scope: 'row'},
            el('div', {class: 'family'}, nameOf(row.family.name))),
          mapCell(row.total, Infinity),
          row.cells.map(cell => mapCell(cell, most)),
          !outside ? null
            : row.outside ? mapCell(row.outside, most) : el('td'))))));
    makeGrid(grid, td => this.show(td.fact));
    this.box.replaceChildren(grid);
    const first = grid.querySelector('td.missing, td.odd');
    if (first) {
      grid.querySelector('td[tabindex="0"]').tabIndex = -1;
      first.tabIndex = 0;
      first.setAttribute('aria-selected', 'true');
      this.show(first.fact);
    } else {
      this.hint();
    }
  }

  head(outside) {
    const {report} = this;
    const axes = report.layers.map(name => name.replace(/\d+$/, ''));
    const short = name => name.match(/\d*$/)[0] || name;
    const spans = [];
    for (const axis of axes) {
      if (spans.length > 0 && spans.at(-1)[0] === axis) ++spans.at(-1)[1];
      else spans.push([axis, 1]);
    }
    return el('thead', {},
      el('tr', {}, el('td', {}), el('td', {}), spans.map(([axis, count]) =>
        el('th', {colspan: count, scope: 'colgroup'},
          el('span', {}, count > 2 ? axis.replace(/_$/, '') : ''))),
      outside ? el('td', {}) : null),
      el('tr', {}, el('td', {}), el('th', {scope: 'col'}, 'all'),
        report.layers.map(name =>
          el('th', {scope: 'col', 'aria-label': name, title: name},
            short(name))),
        outside ? el('th', {scope: 'col', title: 'tasks of no layer'}, 'else')
          : null));
  }

  // How many findings name each layer; nothing where none does.
  findingsRow(outside) {
    const {report} = this;
    const found = report.layers.map((_, column) => report.all_findings
      .filter(finding => marking(finding) && finding.columns.has(column)));
    if (found.every(findings => findings.length === 0)) return null;
    return el('tbody', {}, el('tr', {},
      el('th', {scope: 'row'}, 'findings of the layer'), el('td'),
      found.map((findings, column) => {
        const text = `${report.layers[column]}: ${
          counted(findings.length, 'finding')}`;
        const td = el('td', {class: findings.length > 0 ? 'cell count' : 'cell',
                             role: 'gridcell', tabindex: -1, title: text,
                             'aria-label': text, 'aria-selected': 'false'},
          findings.length > 0 ? findings.length : '');
        td.fact = {layer: report.layers[column], findings};
        return td;
      }), outside ? el('td') : null));
  }

  hint() {
    this.panel.replaceChildren(el('p', {class: 'empty'},
      'Choose a cell to see its tasks, slots, events and source lines: with a ' +
      'click, or with the arrow keys and Enter.'));
  }

  show(cell) {
    const [title, list, ...rest] = cellFacts(this.report, cell);
    this.panel.replaceChildren(el('div', {}, title, list), el('div', {}, rest));
  }
}

function legend() {
  const item = (kind, sample, text) => el('li', {},
    el('span', {class: `swatch ${kind}`}, sample), text);
  return el('ul', {class: 'legend', 'aria-label': 'Legend'},
    item('h1', '1', 'few readers'), item('h7', '512', 'many'),
    item('missing', '✕0', 'critical and not read'),
    item('h3 odd', '8', 'odd: unlike most layers'),
    item('h3 found', '8', 'has a finding'),
    item('h3', '8±', 'ranks differ, the fewest shown'),
    item('absent', '', 'not declared'));
}

// ---- The facts of a cell ----------------------------------------------------

function usesTable(report, uses) {
  return table(['Slot', 'Task type', ['Tasks', 'number'], 'Ids', 'Waits for',
                'Triggers'],
    uses.map(([kind, slot, output, count, tasks, waits, triggers]) => {
      const [type, variant, lines] = report.kinds[kind];
      return [
        `${output ? 'out' : 'in'} ${slot}`,
        [nameOf(type),
         el('div', {class: 'soft'}, `variant ${variant}, `,
           lines.length === 0 ? 'no branch known'
             : `branch at line ${lines.join(', ')}`)],
        grouped(count),
        tasks[0].map(stretch).join(', ') + more(tasks[1]),
        eventsText(waits), eventsText(triggers),
      ];
    }), 'Tasks that name the tensor');
}

const eventsText = ([first, rest]) =>
  (first.length === 0 ? '–' : `event ${first.join(', ')}${more(rest)}`);

function cellFacts(report, cell) {
  const {row} = cell;
  if (!row) {
    return [el('h3', {}, cell.layer), facts([
      ['Findings', cell.findings.length === 0 ? 'none'
        : cell.findings.map(findingLink)]])];
  }
  if (cell.tensors.length === 1) {
    return tensorFacts(report, cell, cell.tensors[0]);
  }
  // Several tensors: the whole of a family.
  const byReads = new Map();
  for (const one of row.cells.filter(Boolean)) {
    if (!byReads.has(one.reads)) byReads.set(one.reads, []);
    byReads.get(one.reads).push(report.layers[one.column]);
  }
  return [
    el('h3', {class: 'name'}, row.family.name),
    facts([
      ['Tensors', grouped(cell.tensors.length)],
      ['Readers', report.byRank(row.ranks, rank => cell.tensors.reduce(
        (sum, tensor) => sum + (report.rowOn(tensor, rank)?.reads || 0), 0))
        .map(([ranks, reads]) => el('div', {},
          `${grouped(reads)} on ${report.ranksText(ranks)}`))],
      ...[...byReads].map(([reads, layers]) =>
        [`Of ${reads} each`, layerNames(layers)]),
      ['Read by', kindNames(report, cell.tensors, false).join(', ') || 'no task'],
    ]),
  ];
}

// "layer_{0-16,18-35}" of names that differ in their last number.
function layerNames(names) {
  const axes = new Map();
  for (const name of names) {
    const [, axis, number] = name.match(/^(.*?)(\d*)$/);
    if (!axes.has(axis)) axes.set(axis, []);
    axes.get(axis).push(Number(number));
  }
  return [...axes].map(([axis, numbers]) =>
    `${axis}${numbers.length > 1 ? `{${rangesText(numbers)}}` : numbers[0]}`)
    .join(', ');
}

function kindNames(report, tensors, output) {
  const names = new Set();
  for (const tensor of tensors) {
    for (const [, groups] of tensor.cells) {
      for (const [, uses] of groups) {
        for (const use of uses) {
          if (Boolean(use[2]) === output) names.add(report.kinds[use[0]][0]);
        }
      }
    }
  }
  return [...names].sort();
}

function tensorFacts(report, cell, tensor) {
  const whole = cell.column === undefined;
  const columns = whole ? tensor.cells.map(([column]) => column)
    : [cell.column];
  const ranks = cell.row.ranks.filter(rank => tensor.ranks.includes(rank));
  const usesOf = rank => columns.flatMap(column =>
    report.usesOn(tensor, column, rank));
  const sum = (rank, output) => usesOf(rank).reduce((total, use) =>
    total + (Boolean(use[2]) === output ? use[3] : 0), 0);
  const counts = output => report.byRank(ranks, rank => sum(rank, output))
    .map(([of, count]) =>
      el('div', {}, `${grouped(count)} on ${report.ranksText(of)}`));
  const row = report.rowOn(tensor, ranks[0]);
  const content = [
    el('h3', {class: 'name'}, tensor.name),
    facts([
      ['Where', whole ? 'in all of the graph'
        : cell.column < 0 ? 'tasks of no layer' : report.layers[cell.column]],
      ['Kind', row.kind + (row.critical ? ', critical' : '')],
      ['Readers', counts(false)],
      ['Writers', counts(true)],
      ['Consumed', report.byRank(ranks, rank =>
        report.rowOn(tensor, rank).consumed).map(([of, consumed]) =>
        el('div', {}, `${consumed ? 'yes' : 'no'}, on ${
          report.ranksText(of)}`))],
      ['Declared', tensor.lines.map(([of, line]) => el('div', {},
        placeOf(report, report.rank_sets[of], line)))],
      cell.odd ? ['Odd', `most layers have ${counted(cell.usual, 'reader')}`]
        : null,
      ['Findings', tensor.findings.length === 0 ? 'none'
        : tensor.findings.map(findingLink)],
    ]),
  ];
  for (const [of, uses] of report.byRank(ranks, usesOf)) {
    if (uses.length === 0) {
      content.push(el('p', {class: 'empty'},
        `No task ${whole ? '' : 'here '}names it on ${report.ranksText(of)}.`));
      continue;
    }
    content.push(el('h3', {}, `Tasks on ${report.ranksText(of)}`));
    const most = 24;
    content.push(usesTable(report, uses.slice(0, most)));
    if (uses.length > most) {
      content.push(el('p', {class: 'soft'},
        `The first ${most} of ${grouped(uses.length)}: see the cells of the ` +
        'layers.'));
    }
  }
  if (cell.odd || cell.missing) content.push(comparison(report, cell));
  return content;
}

// What the nearest layer that is as most are does with its tensor.
function comparison(report, cell) {
  const peers = cell.row.cells.filter(other =>
    other && !other.odd && !other.missing && other.reads > 0 &&
    other.tensors.length === 1);
  if (cell.column === undefined || peers.length === 0) return '';
  const peer = peers.reduce((best, other) =>
    (Math.abs(other.column - cell.column) <
     Math.abs(best.column - cell.column) ? other : best));
  return [
    el('h3', {}, `For comparison, ${report.layers[peer.column]} on ${
      report.ranksText(peer.row.ranks.slice(0, 1))}`),
    usesTable(report, report.usesOn(peer.tensors[0], peer.column,
      peer.row.ranks[0]))];
}

// "kernel_0.cu:17", by the file of the first rank.
function placeOf(report, ranks, line) {
  const rank = report.ranks.find(one => one.rank === ranks[0]);
  return [el('code', {title: rank.kernel_file},
    `${baseName(rank.kernel_file)}:${line}`),
  ranks.length > 1 ? ` on ${report.ranksText(ranks)}` : null];
}

const facts = entries => el('dl', {class: 'facts'},
  entries.filter(Boolean).map(([term, detail]) =>
    [el('dt', {}, term), el('dd', {}, detail)]));

function findingLink(finding) {
  const link = el('a', {href: `#${finding.anchor}`},
    `${finding.severity} [${finding.rule}]`);
  link.title = messageOf(finding);
  link.addEventListener('click', () => openFinding(finding.anchor));
  return el('div', {}, link);
}

// Opens a finding and those that it hangs under.
function openFinding(anchor) {
  for (let at = document.getElementById(anchor); at; at = at.parentElement) {
    if (at.matches('details')) at.open = true;
    at.hidden = false;
  }
}

// ---- Findings ---------------------------------------------------------------

const contains = (text, query) => text.toLowerCase().includes(query);

class Findings {
  constructor(report) {
    this.report = report;
    this.query = '';
    this.severities = new Set(Object.keys(SEVERITIES));
    this.rule = '';
    this.items = report.findings.map(finding =>
      [finding, findingItem(report, finding)]);
    this.said = el('p', {class: 'soft', role: 'status', id: 'findings-said'});
    const boxes = Object.keys(SEVERITIES).map(severity => {
      const box = el('input', {type: 'checkbox', checked: true,
                               name: severity});
      box.addEventListener('change', () => {
        if (box.checked) this.severities.add(severity);
        else this.severities.delete(severity);
        this.filter();
      });
      return el('label', {class: severity}, box, SEVERITIES[severity],
        ` (${report.counts[severity]})`);
    });
    const rules = [...new Set(report.all_findings.map(one => one.rule))].sort();
    const select = el('select', {id: 'rule'},
      el('option', {value: ''}, 'all rules'),
      rules.map(rule => el('option', {value: rule}, rule)));
    select.addEventListener('change', () => {
      this.rule = select.value;
      this.filter();
    });
    this.element = el('section', {id: 'findings',
                                  'aria-labelledby': 'findings-title'},
      el('h2', {id: 'findings-title'}, 'Findings'),
      report.findings.length === 0
        ? el('p', {class: 'empty'}, 'No rule found anything.')
        : [el('div', {class: 'controls'}, boxes,
             el('label', {}, 'Rule', select)),
           this.said,
           this.items.map(([, item]) => item)],
      report.findings_left_out > 0 ? el('p', {class: 'soft'},
        `${counted(report.findings_left_out, 'finding')} more, of the same or ` +
        'lower severity, are in the JSON report.') : null,
      this.waived());
    this.filter();
  }

  waived() {
    const {waived, waived_left_out: rest} = this.report;
    if (waived.length === 0) return null;
    return el('details', {class: 'finding'},
      el('summary', {}, el('span', {}, 'waived'),
        el('span', {}, counted(waived.length + rest, 'finding'))),
      el('div', {class: 'body'}, table(['Rule', 'Finding', 'Reason'],
        waived.map(([finding, reason]) => [el('code', {}, finding.rule),
          messageOf(finding), reason]), 'Waived findings')));
  }

  // A root stays where one of its consequences matches.
  matches(finding) {
    const text = [finding.rule, messageOf(finding), finding.task_type,
                  ...finding.members.map(member => Number.isInteger(member)
                    ? this.report.tensors[member].name : member)].join(' ');
    return (this.severities.has(finding.severity) &&
            (this.rule === '' || this.rule === finding.rule) &&
            contains(text, this.query)) ||
      finding.consequences[0].some(consequence => this.matches(consequence));
  }

  filter() {
    let shown = 0;
    for (const [finding, item] of this.items) {
      item.hidden = !this.matches(finding);
      if (!item.hidden) ++shown;
    }
    this.said.textContent = shown === 0 ? 'No finding matches.'
      : shown === this.items.length ? counted(shown, 'finding')
        : `${shown} of ${counted(this.items.length, 'finding')}`;
  }
}

function findingItem(report, finding) {
  const rest = finding.consequences[0].length + finding.consequences[1];
  const item = el('details', {class: 'finding', id: finding.anchor},
    el('summary', {},
      el('span', {class: `severity ${finding.severity}`},
        SEVERITIES[finding.severity]),
      el('span', {}, el('span', {class: 'message'}, messageOf(finding)), ' ',
        el('span', {class: 'rule'}, `[${finding.rule}]`),
        rest > 0 ? el('span', {class: 'soft'},
          ` with ${counted(rest, 'consequence')}`) : null)));
  // Many findings, few looked at: the rest of one is made when it is opened.
  item.addEventListener('toggle', () => {
    if (item.open && item.children.length === 1) {
      item.append(findingBody(report, finding));
    }
  });
  // Links lead to consequences, too.
  if (rest > 0) item.append(findingBody(report, finding));
  return item;
}

function findingBody(report, finding) {
  const rule = report.rules.find(one => one.id === finding.rule) || {};
  const [consequences, left_out] = finding.consequences;
  const members = finding.members.map(member =>
    (Number.isInteger(member) ? report.tensors[member].name : member));
  return el('div', {class: 'body'},
    facts([
      ['Rule', [el('code', {}, finding.rule),
                rule.title ? `: ${rule.title}` : null]],
      ['Id', el('code', {}, finding.id)],
      finding.expected ? ['Expected', finding.expected] : null,
      finding.siblings ? ['Healthy siblings', finding.siblings] : null,
      finding.advice ? ['What to do', finding.advice] : null,
      rule.why ? ['Why it matters', rule.why] : null,
      finding.ranks !== undefined && report.rank_sets[finding.ranks].length > 0
        ? ['Ranks', report.ranksText(report.rank_sets[finding.ranks])] : null,
      finding.layers.length > 0 ? ['Layers', rangesText(finding.layers)] : null,
      ['Count', `${counted(finding.count, 'place')} on each rank`],
      finding.places[0].length > 0 ? ['Source', [
        finding.places[0].map(([file, line]) => el('div', {},
          el('code', {title: file}, `${baseName(file)}${
            line ? `:${line}` : ''}`))),
        more(finding.places[1]).trim() || null]] : null,
      finding.tasks[0].length > 0 ? ['Tasks',
        finding.tasks[0].map(stretch).join(', ') + more(finding.tasks[1])]
        : null,
      members.length > 1 ? ['Tensors', [
        el('span', {class: 'name'}, members.slice(0, MOST_MEMBERS).join(', ')),
        more(members.length - MOST_MEMBERS)]] : null,
    ]),
    neighbourhood(finding),
    consequences.length === 0 ? null : [
      el('h3', {}, 'Mend this and the following are gone'),
      consequences.map(consequence => findingItem(report, consequence)),
      left_out > 0 ? el('p', {class: 'soft'},
        `${counted(left_out, 'consequence')} more are in the JSON report.`)
        : null]);
}

// The tasks of a finding with what lies one step around them.
function neighbourhood(finding) {
  if (finding.examples.length === 0) return null;
  const slots = names => names.map((name, slot) => el('div', {},
    el('span', {class: 'soft'}, `${slot} `),
    nameOf(name)));
  const event = (facts, kinds) => (facts === null ? '–' : [
    el('div', {}, `event ${facts.index}`),
    el('div', {class: 'soft'},
      facts[kinds].length === 0 ? 'no task'
        : facts[kinds].map(([type, count]) => `${grouped(count)} × ${type}`)
          .join(', ')),
    kinds === 'triggered_by' ? el('div', {class: 'soft'},
      `needs ${counted(facts.num_triggers, 'trigger')}`) : null]);
  return [
    el('h3', {}, 'Neighbourhood'),
    el('p', {class: 'soft'}, `${counted(finding.examples.length, 'task')} ` +
      'as an example, on the first rank that has the finding.'),
    table([['Task', 'number'], 'Type', 'Reads', 'Writes',
           'Waits for, triggered by', 'Triggers, waited for by'],
      finding.examples.map(task => [
        grouped(task.task),
        [nameOf(task.type), el('div', {class: 'soft'},
          `variant ${task.variant}${task.line ? `, line ${task.line}` : ''}`)],
        slots(task.inputs), slots(task.outputs),
        event(task.waits, 'triggered_by'), event(task.triggers, 'waited_by'),
      ]), 'Neighbourhood')];
}

// ---- Tensors, rules, ranks --------------------------------------------------

class Tensors {
  constructor(report) {
    this.report = report;
    this.query = '';
    this.box = el('div', {});
    this.said = el('p', {class: 'soft', role: 'status'});
    this.element = el('section', {id: 'tensors',
                                  'aria-labelledby': 'tensors-title'},
      el('h2', {id: 'tensors-title'}, 'Tensors'), this.said, this.box);
    this.draw();
  }

  draw() {
    const {report} = this;
    const found = report.tensors.filter(tensor =>
      contains(tensor.name, this.query));
    this.said.textContent = found.length === 0 ? 'No tensor matches.'
      : found.length <= MOST_TENSORS ? counted(found.length, 'tensor')
        : `The first ${MOST_TENSORS} of ${grouped(found.length)} tensors: ` +
          'search to see others.';
    this.box.replaceChildren(found.length === 0 ? '' : table(
      ['Tensor', 'Kind', ['Reads', 'number'], ['Writes', 'number'], 'Read by',
       'Ranks', 'Declared'],
      found.slice(0, MOST_TENSORS).flatMap(tensor => tensor.rows.map(row => [
        nameOf(tensor.name),
        row.kind + (row.critical ? ', critical' : ''),
        row.critical && !row.consumed
          ? el('b', {class: 'error'}, `✕ ${grouped(row.reads)}`)
          : grouped(row.reads),
        grouped(row.writes),
        el('span', {class: 'name'},
          kindNames(report, [tensor], false).join(', ')),
        report.ranksText(report.rank_sets[row.ranks]),
        tensor.lines.map(([of, line]) => el('div', {},
          placeOf(report, report.rank_sets[of].slice(0, 1), line))),
      ])), 'Tensors', true));
  }
}

function rulesSection(report) {
  return el('section', {id: 'rules', 'aria-labelledby': 'rules-title'},
    el('h2', {id: 'rules-title'}, 'What was judged'),
    el('p', {class: 'soft'}, 'What a rule could not judge is neither a pass ' +
      'nor a finding.'),
    table(['Rule', 'Fails when', ['Judged', 'number'], 'Could not judge'],
      report.rules.map(rule => [
        el('code', {}, rule.id),
        rule.title || '',
        grouped(rule.judged),
        rule.could_not_judge.length === 0 ? '–'
          : rule.could_not_judge.map(([reason, count]) =>
            el('div', {}, `${grouped(count)}: ${reason}`)),
      ]), 'Rules', true));
}

function ranksSection(report) {
  const files = rank => [el('div', {class: 'name'}, rank.kernel_file),
    el('div', {class: 'name'}, rank.graph_file)];
  return el('section', {id: 'ranks', 'aria-labelledby': 'ranks-title'},
    el('h2', {id: 'ranks-title'}, 'What was read'),
    table([['Rank', 'number'], 'Files', ['Tasks', 'number'],
           ['Operands', 'number'], ['Events', 'number'],
           ['Declarations', 'number'], ['Branches', 'number'], 'Task types'],
      report.ranks.map(rank => [
        rank.rank, files(rank), grouped(rank.tasks), grouped(rank.operands),
        grouped(rank.events), grouped(rank.declarations),
        grouped(rank.branches),
        [rank.type_binding, rank.remarks.map(remark => el('div', {}, remark))],
      ]), 'Ranks'));
}

// ---- The page ---------------------------------------------------------------

function headOf(report, choice) {
  const totals = key =>
    report.ranks.reduce((sum, rank) => sum + rank[key], 0);
  const count = (severity, noun) => el('li', {class: severity},
    el('b', {}, grouped(report.counts[severity])),
    ` ${noun}${report.counts[severity] === 1 ? '' : 's'}`);
  return [
    el('div', {class: 'title'},
      el('span', {class: `verdict ${report.verdict}`},
        VERDICTS[report.verdict]),
      el('h1', {}, choice || report.gendir),
      themeToggle()),
    report.verdict === 'invalid' ? null
      : el('ul', {class: 'counts', 'aria-label': 'Counts'},
        count('error', 'error'), count('warning', 'warning'),
        count('note', 'note'),
        report.counts.waived > 0
          ? el('li', {}, el('b', {}, grouped(report.counts.waived)), ' waived')
          : null,
        el('li', {class: 'soft'}, [
          counted(report.ranks.length, 'rank'),
          counted(totals('tasks'), 'task'),
          counted(totals('operands'), 'operand'),
          counted(totals('events'), 'event'),
          counted(totals('declarations'), 'declaration'),
        ].join(' · '))),
  ];
}

function drawReport(report, choice) {
  document.title = `${VERDICTS[report.verdict]} ${report.gendir}`;
  const head = document.getElementById('top');
  const main = document.getElementById('main');
  const end = document.getElementById('end');
  head.replaceChildren(...headOf(report, choice).filter(Boolean));
  if (report.errors.length > 0) {
    main.replaceChildren(el('section', {id: 'errors'},
      el('h2', {}, 'Input errors'),
      report.verdict === 'invalid'
        ? el('p', {}, 'Nothing was judged: that is no pass.') : null,
      el('ul', {}, report.errors.map(error =>
        el('li', {class: 'name'}, error)))));
    end.replaceChildren();
    if (report.tensors.length === 0) return;
  } else {
    main.replaceChildren();
  }
  const parts = [new Findings(report), new HeatMap(report),
                 new Tensors(report)];
  const search = el('input', {type: 'search', id: 'search',
    placeholder: 'tensor, family, rule or finding'});
  search.addEventListener('input', () => {
    const query = search.value.trim().toLowerCase();
    for (const part of parts) {
      part.query = query;
      if (part.filter) part.filter();
      else part.draw();
    }
  });
  head.append(el('div', {class: 'controls', role: 'search'},
    el('label', {}, 'Search', search),
    el('nav', {'aria-label': 'Parts of this page'},
      ['findings', 'map', 'tensors', 'rules', 'ranks'].flatMap((id, i) =>
        [i > 0 ? ' · ' : null, el('a', {href: `#${id}`}, id)]))));
  main.append(...parts.map(part => part.element), rulesSection(report),
    ranksSection(report));
  end.replaceChildren(el('p', {},
    'Of each kind of task the page shows three stretches of ids and three ' +
    'events as examples, and says how many more there are; the counts are of ' +
    'all.'),
  el('p', {}, 'No static rule sees a fault that is alike in every layer and ' +
    'rank and leaves no tensor unread, nor values, data-dependent rows, or ' +
    'what a callee does with its arguments. Wiring that is right is not yet ' +
    'numbers that are right: run the numerics tests too.'));
}

function drawPage() {
  const choice = data.reports.length < 2 ? null
    : el('select', {id: 'gendir', 'aria-label': 'Gendir'},
      data.reports.map((report, i) => el('option', {value: i},
        `${VERDICTS[report.verdict]} ${report.gendir}`)));
  const reports = data.reports.map(() => null);
  const draw = i => {
    reports[i] = reports[i] || new Report(data.reports[i]);
    drawReport(reports[i], choice);
  };
  if (choice) choice.addEventListener('change', () => draw(Number(choice.value)));
  draw(0);
  if (location.hash) openFinding(location.hash.slice(1));
}

drawPage();
