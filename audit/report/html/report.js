// SPDX-License-Identifier: Apache-2.0
//
// Draws the page of an audit: its head, and what is no map and no finding.
'use strict';

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
  const map = new HeatMap(report);
  const parts = [new Findings(report), map, new Tensors(report)];
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
  map.reveal();
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
  if (choice) {
    choice.addEventListener('change', () => draw(Number(choice.value)));
  }
  draw(0);
  if (location.hash) openFinding(location.hash.slice(1));
}

drawPage();
