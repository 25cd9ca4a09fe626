// SPDX-License-Identifier: Apache-2.0
//
// What the data of an audit says, without its numbering, and the counts of the
// map's rows. html.cc says how the data is laid out.
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

