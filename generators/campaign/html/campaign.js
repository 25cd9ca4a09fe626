// SPDX-License-Identifier: Apache-2.0
//
// Draws the page of a campaign of mutants. html.cc says how its data is laid
// out.
'use strict';

const OUTCOMES = {
  survived: '✕ survived', error: '✕ failed', 'oracle-gap': '▲ oracle gap',
  equivalent: '● equivalent', caught: '✓ caught',
};
const COUNTS = ['caught', 'survived', 'equivalent', 'oracle_gap', 'error'];
const MOST_SHOWN = 100;

const percent = ({caught, of}) => (of === 0 ? '–'
  : `${(Math.floor(10000 * caught / of) / 100).toFixed(2)} %`);
const scoreText = score =>
  `${grouped(score.caught)} of ${grouped(score.of)} (${percent(score)})`;

// Of each operator, how many mutants each rule caught.
class Matrix {
  constructor(campaign, showOperator) {
    this.panel = factsPanel();
    this.showOperator = showOperator;
    const {operators, rules} = campaign;
    const most = Math.max(1, ...operators.flatMap(op =>
      Object.values(op.rules)));
    const grid = el('table', {class: 'heat matrix', role: 'grid',
                              'aria-label': 'Mutants caught by rule'},
      el('thead', {}, el('tr', {}, el('td'),
        COUNTS.map(count => el('th', {scope: 'col'},
          el('span', {}, count.replace('_', ' ')))),
        rules.map(rule => el('th', {scope: 'col'}, el('span', {}, rule))))),
      el('tbody', {}, operators.map(op => el('tr', {},
        el('th', {scope: 'row', title: op.title},
          el('div', {class: 'family'}, nameOf(op.operator))),
        COUNTS.map(count => this.countCell(op, count)),
        rules.map(rule => this.ruleCell(op, rule, most))))));
    makeGrid(grid, td => this.show(td.fact));
    this.panel.append(el('p', {class: 'empty'},
      'Choose a cell to see what it counts: with a click, or with the arrow ' +
      'keys and Enter.'));
    this.element = el('section', {id: 'matrix',
                                  'aria-labelledby': 'matrix-title'},
      el('h2', {id: 'matrix-title'}, 'Operators by rules'),
      el('p', {class: 'soft'},
        'How many mutants of an operator each rule caught. A mutant counts ' +
        'for each rule that caught it; where an operator was run in full, a ' +
        'verdict stops at the first rule.'),
      operators.length === 0 ? el('p', {class: 'empty'}, 'No mutants.')
        : [el('div', {class: 'scroll map'}, grid), this.panel]);
  }

  cell(fact, text, kind, label) {
    const td = el('td', {class: `cell ${kind}`, role: 'gridcell', tabindex: -1,
                         title: label, 'aria-label': label,
                         'aria-selected': 'false'}, text);
    td.fact = fact;
    return td;
  }

  countCell(op, count) {
    const number = op.counts[count];
    const bad = count !== 'caught' && count !== 'equivalent' && number > 0;
    return this.cell({op, count}, number === 0 ? '' :
      `${bad ? '✕' : ''}${compact(number)}`, bad ? 'total missing' : 'total',
      `${op.operator}: ${grouped(number)} ${count.replace('_', ' ')}`);
  }

  ruleCell(op, rule, most) {
    const number = op.rules[rule] || 0;
    return this.cell({op, rule}, number === 0 ? '' : compact(number),
      number === 0 ? '' : `h${heatStep(number, most)}`,
      `${op.operator}: ${rule} caught ${grouped(number)}`);
  }

  show({op, rule, count}) {
    this.panel.replaceChildren(el('div', {},
      el('h3', {class: 'name'}, op.operator),
      el('dl', {class: 'facts'}, [
        ['Edit', op.title || ''], ['Extent', op.extent || ''],
        ['Places', grouped(op.places)], ['Judged', grouped(op.chosen)],
        ...COUNTS.map(one => [one.replace('_', ' '), grouped(op.counts[one])]),
        ['Without shape rules', scoreText(op.without_shape_rules)],
      ].map(([term, detail]) => [el('dt', {}, term), el('dd', {}, detail)]))),
    el('div', {},
      rule === undefined ? null : [
        el('h3', {class: 'name'}, rule),
        el('p', {}, `caught ${counted(op.rules[rule] || 0, 'mutant')}, ${
          grouped(op.alone[rule] || 0)} of them alone.`)],
      count === undefined ? null
        : el('p', {}, `${grouped(op.counts[count])} ${
          count.replace('_', ' ')}.`)));
    if (count !== undefined && count !== 'caught' && op.counts[count] > 0) {
      const link = el('a', {href: '#mutants'}, 'List them');
      link.addEventListener('click', () =>
        this.showOperator(op.operator, count.replace('_', '-')));
      this.panel.lastChild.append(link);
    }
  }
}

// The mutants that are listed, with what they changed and how to judge them
// again.
class Mutants {
  constructor(campaign) {
    this.campaign = campaign;
    this.query = '';
    this.box = el('div', {});
    this.said = el('p', {class: 'soft', role: 'status', id: 'mutants-said'});
    this.outcome = el('select', {id: 'outcome'},
      Object.entries(OUTCOMES).filter(([outcome]) =>
        outcome !== 'caught' ||
        campaign.mutants.some(mutant => mutant.outcome === 'caught'))
        .map(([outcome, text]) => el('option', {value: outcome}, text)));
    this.operator = el('select', {id: 'operator'},
      el('option', {value: ''}, 'all operators'),
      campaign.operators.map(op =>
        el('option', {value: op.operator}, op.operator)));
    for (const select of [this.outcome, this.operator]) {
      select.addEventListener('change', () => this.draw());
    }
    this.element = el('section', {id: 'mutants',
                                  'aria-labelledby': 'mutants-title'},
      el('h2', {id: 'mutants-title'}, 'Mutants'),
      el('div', {class: 'controls'},
        el('label', {}, 'Outcome', this.outcome),
        el('label', {}, 'Operator', this.operator)),
      this.said, this.box);
    this.draw();
  }

  choose(operator, outcome) {
    this.operator.value = operator;
    this.outcome.value = outcome;
    this.draw();
  }

  draw() {
    const {campaign} = this;
    const outcome = this.outcome.value;
    const operator = this.operator.value;
    const found = campaign.mutants.filter(mutant =>
      mutant.outcome === outcome &&
      (operator === '' || mutant.operator === operator) &&
      [mutant.id, mutant.before, mutant.after, mutant.reason]
        .some(text => text.toLowerCase().includes(this.query)));
    // What the page's data leaves out does not depend on the search.
    const left_out = campaign.operators.filter(op =>
      operator === '' || op.operator === operator)
      .reduce((sum, op) => sum + (op.left_out[outcome] || 0), 0);
    const said = found.length === 0 ? `None ${OUTCOMES[outcome].slice(2)}.`
      : found.length > MOST_SHOWN
        ? `The first ${MOST_SHOWN} of ${grouped(found.length)}: search to ` +
          'see others.'
        : counted(found.length, 'mutant');
    this.said.textContent = said + (left_out === 0 ? ''
      : ` ${grouped(left_out)} more are in the JSON report alone.`);
    this.box.replaceChildren(...found.slice(0, MOST_SHOWN).map(mutantItem));
  }
}

function mutantItem(mutant, i) {
  return el('details', {class: 'finding', open: i < 3},
    el('summary', {},
      el('span', {class: `severity ${
        mutant.outcome === 'equivalent' ? 'note'
          : mutant.outcome === 'caught' ? 'pass' : 'error'}`},
        OUTCOMES[mutant.outcome]),
      nameOf(mutant.id)),
    el('div', {class: 'body'},
      el('pre', {class: 'change'}, `- ${mutant.before}\n+ ${mutant.after}`),
      mutant.rules.length === 0 ? null
        : el('p', {}, `Rules: ${mutant.rules.join(', ')}`),
      mutant.reason === '' ? null : el('p', {}, `Reason: ${mutant.reason}`),
      el('p', {class: 'soft'}, 'To judge it again:'),
      el('pre', {class: 'change replay', tabindex: 0}, mutant.replay)));
}

function scores(campaign) {
  return el('section', {id: 'scores', 'aria-labelledby': 'scores-title'},
    el('h2', {id: 'scores-title'}, 'Scores'),
    el('dl', {class: 'facts'}, [
      ['Caught, by all rules', scoreText(campaign.scores.all_rules)],
      ['Caught without the shape rules',
       scoreText(campaign.scores.without_shape_rules)],
      ['Edits of a whole operator, layer or model',
       scoreText(campaign.scores.whole)],
      ['Seed', campaign.seed],
      campaign.off.length > 0 ? ['Rules off', campaign.off.join(', ')] : null,
    ].filter(Boolean).map(([term, detail]) =>
      [el('dt', {}, term), el('dd', {}, detail)])));
}

function baseline(campaign) {
  const {verdict, errors, warnings, notes, findings} = campaign.baseline;
  if (verdict === 'pass' && findings.length === 0) return null;
  return el('section', {id: 'baseline', 'aria-labelledby': 'baseline-title'},
    el('h2', {id: 'baseline-title'}, 'The gendir itself'),
    el('p', {}, `${verdict}: ${counted(errors, 'error')}, ${
      counted(warnings, 'warning')}, ${counted(notes, 'note')}. Mutants were ` +
      'judged against this.'),
    el('ul', {}, findings.map(finding => el('li', {}, finding))));
}

function drawPage() {
  const campaign = data;
  const {counts} = campaign;
  const verdict = campaign.errors.length > 0 ? ['invalid', '✕ NOT JUDGED']
    : campaign.baseline.verdict !== 'pass' ? ['fail', '✕ BASELINE FAILS']
      : campaign.passed ? ['pass', '✓ ALL CAUGHT']
        : counts.survived > 0 ? ['fail', '✕ SURVIVORS']
          : counts.error > 0 ? ['fail', '✕ MUTANTS NOT JUDGED']
            : ['fail', '✕ ORACLE GAPS'];
  document.title = `${verdict[1]} ${campaign.gendir}`;
  const mutants = new Mutants(campaign);
  const matrix = new Matrix(campaign, (operator, outcome) =>
    mutants.choose(operator, outcome));
  const search = el('input', {type: 'search', id: 'search',
                              placeholder: 'id, edit or reason'});
  search.addEventListener('input', () => {
    mutants.query = search.value.trim().toLowerCase();
    mutants.draw();
  });
  document.getElementById('top').replaceChildren(
    el('div', {class: 'title'},
      el('span', {class: `verdict ${verdict[0]}`}, verdict[1]),
      el('h1', {}, 'Mutants of ', campaign.gendir), themeToggle()),
    el('ul', {class: 'counts', 'aria-label': 'Counts'},
      [['caught', 'caught', 'pass'], ['survived', 'survived', 'error'],
       ['error', 'failed', 'error'], ['oracle_gap', 'oracle gaps', 'warning'],
       ['equivalent', 'equivalent', 'note']].map(([key, text, kind]) =>
        el('li', {class: kind}, el('b', {}, grouped(counts[key])),
          ` ${text}`))),
    el('div', {class: 'controls', role: 'search'},
      el('label', {}, 'Search mutants', search)));
  document.getElementById('main').replaceChildren(...[
    campaign.errors.length === 0 ? null : el('section', {id: 'errors'},
      el('h2', {}, 'Input errors'), el('ul', {}, campaign.errors.map(error =>
        el('li', {class: 'name'}, error)))),
    baseline(campaign), scores(campaign), matrix.element, mutants.element,
  ].filter(Boolean));
}

drawPage();
