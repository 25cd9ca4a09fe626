// SPDX-License-Identifier: Apache-2.0
//
// The map of readers, by family and layer.
'use strict';

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
    this.panel = factsPanel();
    this.rank = el('select', {id: 'rank'},
      el('option', {value: 'worst'}, 'fewest readers over ranks'),
      report.ranks_read.map(rank =>
        el('option', {value: rank}, `rank ${rank}`)));
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
        'How many operands read each tensor. A row is a family of tensors, ' +
        'or one tensor of no layer with the reads of each layer’s tasks.'),
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
    const first = grid.querySelector('td.odd, td.missing:not(.total)') ||
      grid.querySelector('td.missing');
    if (first) {
      grid.querySelector('td[tabindex="0"]').tabIndex = -1;
      first.tabIndex = 0;
      first.setAttribute('aria-selected', 'true');
      this.show(first.fact);
    } else {
      this.hint();
    }
    this.reveal();
  }

  // Scrolls the map, and not the page, to the chosen cell. The map must be on
  // the page: what is not has no places.
  reveal() {
    const cell = this.box.querySelector('td[aria-selected="true"]');
    if (!cell || !cell.isConnected) return;
    const box = this.box.getBoundingClientRect();
    const at = cell.getBoundingClientRect();
    const head = cell.closest('table').tHead.offsetHeight;
    const names = cell.parentElement.cells[0].offsetWidth;
    if (at.left < box.left + names || at.right > box.right) {
      this.box.scrollLeft += at.left - (box.left + names + box.right) / 2;
    }
    if (at.top < box.top + head || at.bottom > box.bottom) {
      this.box.scrollTop += at.top - (box.top + head + box.bottom) / 2;
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
      'Choose a cell to see its tasks, slots, events and source lines: with ' +
      'a click, or with the arrow keys and Enter.'));
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
