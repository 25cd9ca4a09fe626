// SPDX-License-Identifier: Apache-2.0
//
// The findings, with what hangs under them and what lies around them.
'use strict';

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
    const rules = [...new Set(report.all_findings.map(({rule}) => rule))];
    rules.sort();
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
        `${counted(report.findings_left_out, 'finding')} more, of the same ` +
        'or lower severity, are in the JSON report.') : null,
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
          [messageOf(finding), el('span', {class: 'soft where'},
            whereOf(this.report, finding))],
          reason]), 'Waived findings')));
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

// " layers 3-5, rank 1": the layers that it has, and where there are several
// ranks, on which of them it is.
function whereOf(report, finding) {
  const {layers} = finding;
  const ranks = report.rank_sets[finding.ranks];
  return [
    layers.length > 0 &&
      ` ${layers.length === 1 ? 'layer' : 'layers'} ${rangesText(layers)}`,
    report.ranks_read.length > 1 && ranks.length > 0 &&
      ` ${report.ranksText(ranks)}`,
  ].filter(Boolean).join(',');
}

function findingItem(report, finding) {
  const rest = finding.consequences[0].length + finding.consequences[1];
  const message = messageOf(finding);
  const item = el('details', {class: 'finding', id: finding.anchor},
    el('summary', {},
      el('span', {class: `severity ${finding.severity}`},
        SEVERITIES[finding.severity]),
      el('span', {}, el('span', {class: 'message'}, message), ' ',
        el('span', {class: 'rule'}, `[${finding.rule}]`),
        el('span', {class: 'soft where'}, whereOf(report, finding)),
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
    consequences.length === 0 ? null : [
      el('h3', {}, 'Mend this and the following are gone'),
      consequences.map(consequence => findingItem(report, consequence)),
      left_out > 0 ? el('p', {class: 'soft'},
        `${counted(left_out, 'consequence')} more are in the JSON report.`)
        : null],
    neighbourhood(finding));
}

// The elements and attributes of a drawing that are taken over: shapes and
// text, nothing that runs, links or loads.
const SHAPES = ['svg', 'g', 'path', 'polygon', 'polyline', 'ellipse', 'text'];
const LOOKS = ['viewBox', 'width', 'height', 'transform', 'd', 'points', 'x',
  'y', 'cx', 'cy', 'rx', 'ry', 'text-anchor', 'font-size', 'stroke-dasharray'];
const SVG = 'http://www.w3.org/2000/svg';

// A copy of an SVG element in the colours of the page; null where it is none of
// the shapes.
function drawingOf(source) {
  if (!SHAPES.includes(source.localName)) return null;
  const copy = document.createElementNS(SVG, source.localName);
  for (const name of LOOKS) {
    const look = source.getAttribute(name);
    // Graphviz sizes its text in points: a pixel each is what a page's is.
    if (look !== null) copy.setAttribute(name, look.replace(/pt$/, ''));
  }
  const colour = name => ({none: 'none', black: 'currentColor'})[
    source.getAttribute(name)] || 'none';
  copy.setAttribute('fill', colour('fill'));
  copy.setAttribute('stroke', colour('stroke'));
  if (source.getAttribute('fill') === '#ffd9d9') copy.classList.add('own');
  if (source.localName === 'text') copy.textContent = source.textContent;
  else copy.append(...[...source.children].map(drawingOf).filter(Boolean));
  return copy;
}

function drawing(finding) {
  const svg = drawingOf(new DOMParser()
    .parseFromString(finding.drawing, 'image/svg+xml').documentElement);
  if (svg === null) return null;
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `What lies around ${subjectOf(finding)}: ` +
    'the table that follows has its tasks');
  return el('div', {class: 'scroll drawing', tabindex: 0, role: 'region',
                    'aria-label': 'Drawing'}, svg);
}

// What lies around a finding: a drawing if there is one, and its tasks with
// their operands and events.
function neighbourhood(finding) {
  if (finding.examples.length === 0 && !finding.drawing) return null;
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
    finding.drawing ? drawing(finding) : null,
    finding.examples.length === 0 ? null : el('p', {class: 'soft'},
      `${counted(finding.examples.length, 'task')} as an example, on the ` +
      'first rank that has the finding.'),
    finding.examples.length === 0 ? null : table(
      [['Task', 'number'], 'Type', 'Reads', 'Writes',
       'Waits for, triggered by', 'Triggers, waited for by'],
      finding.examples.map(task => [
        grouped(task.task),
        [nameOf(task.type), el('div', {class: 'soft'},
          `variant ${task.variant}${task.line ? `, line ${task.line}` : ''}`)],
        slots(task.inputs), slots(task.outputs),
        event(task.waits, 'triggered_by'), event(task.triggers, 'waited_by'),
      ]), 'Neighbourhood')];
}
