// SPDX-License-Identifier: Apache-2.0
//
// The facts of one cell of the map.
'use strict';

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
      ['Read by',
       kindNames(report, cell.tensors, false).join(', ') || 'no task'],
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
        `On ${report.ranksText(of)} no task ${
          whole ? '' : 'here '}names it.`));
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
