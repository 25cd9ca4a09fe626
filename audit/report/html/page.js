// SPDX-License-Identifier: Apache-2.0
//
// What every page shares: elements made without markup, so that no name can
// become any; the theme; grids that are walked with the arrow keys.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);

// el('p', {class: 'soft'}, 'text', el('b', {}, 'more')): an element. Attributes
// that are null or false are left out, those that are true stand alone;
// children that are null are left out, all others that are no nodes are text.
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

const grouped = number => number.toLocaleString('en-US');
const counted = (number, noun, plural) =>
  `${grouped(number)} ${number === 1 ? noun : plural || noun + 's'}`;

// "0-16, 18-35" of ascending numbers.
function rangesText(numbers) {
  const ranges = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([a, b]) => (a === b ? a : `${a}-${b}`)).join(', ');
}

// A name that may be broken after its underscores.
const nameOf = text => el('span', {class: 'name'},
  text.split(/(?<=_)/).map((part, i) => [i > 0 ? el('wbr') : null, part]));

// A table of rows of cells. A column is a title, or [title, 'number']. A tall
// one scrolls inside itself.
function table(columns, rows, caption, tall = false) {
  const kinds = columns.map(column => Array.isArray(column) ? column[1] : null);
  const titles = columns.map(column =>
    Array.isArray(column) ? column[0] : column);
  return el('div', {class: tall ? 'scroll tall' : 'scroll', tabindex: 0,
                    role: 'region', 'aria-label': caption},
    el('table', {class: 'plain'},
      el('thead', {}, el('tr', {}, titles.map((title, i) =>
        el('th', {scope: 'col', class: kinds[i]}, title)))),
      el('tbody', {}, rows.map(cells => el('tr', {}, cells.map((cell, i) =>
        el('td', {class: kinds[i]}, cell)))))));
}

function themeToggle() {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === 'dark' : system.matches;
  const button = el('button', {type: 'button', id: 'theme'});
  const say = () => {
    button.textContent = isDark() ? 'Light theme' : 'Dark theme';
  };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    say();
  });
  system.addEventListener('change', say);
  say();
  return button;
}

// Makes the cells of a table a grid: one of them is in the tab order, the arrow
// keys, Home and End move between them, a click, Enter or Space opens one.
function makeGrid(grid, open) {
  const rows = () => [...grid.rows]
    .map(row => [...row.cells].filter(cell => cell.matches('td.cell')))
    .filter(cells => cells.length > 0);
  const enter = cell => {
    for (const other of grid.querySelectorAll('td[tabindex="0"]')) {
      other.tabIndex = -1;
    }
    cell.tabIndex = 0;
    cell.focus();
  };
  const choose = cell => {
    for (const other of grid.querySelectorAll('[aria-selected="true"]')) {
      other.setAttribute('aria-selected', 'false');
    }
    cell.setAttribute('aria-selected', 'true');
    open(cell);
  };
  const nearest = (cells, column) => cells.reduce((best, cell) =>
    Math.abs(cell.cellIndex - column) < Math.abs(best.cellIndex - column)
      ? cell : best);
  grid.addEventListener('click', event => {
    const cell = event.target.closest('td.cell');
    if (!cell) return;
    enter(cell);
    choose(cell);
  });
  grid.addEventListener('keydown', event => {
    const cell = event.target.closest('td.cell');
    if (!cell) return;
    const all = rows();
    const y = all.findIndex(cells => cells.includes(cell));
    const x = all[y].indexOf(cell);
    const column = cell.cellIndex;
    const to = {
      ArrowLeft: () => all[y][x - 1],
      ArrowRight: () => all[y][x + 1],
      ArrowUp: () => all[y - 1] && nearest(all[y - 1], column),
      ArrowDown: () => all[y + 1] && nearest(all[y + 1], column),
      Home: () => all[y][0],
      End: () => all[y].at(-1),
      Enter: () => (choose(cell), cell),
      ' ': () => (choose(cell), cell),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    const next = to();
    if (next) enter(next);
  });
  const first = grid.querySelector('td.cell');
  if (first) first.tabIndex = 0;
}

// Where a grid shows what the chosen cell stands for.
const factsPanel = () => el('aside', {class: 'panel', id: 'facts',
  'aria-live': 'polite', 'aria-label': 'Facts of the chosen cell'});

// The step of colour of a count: 0 for none, then 1 to 7 by its logarithm.
function heatStep(count, most) {
  if (count === 0) return 0;
  if (most <= 1) return 1;
  return 1 + Math.round(6 * Math.log(count) / Math.log(most));
}

const compact = count =>
  count < 1000 ? String(count)
    : count < 9950 ? `${(count / 1000).toFixed(1)}k`
      : `${Math.round(count / 1000)}k`;
