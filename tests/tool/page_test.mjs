// SPDX-License-Identifier: Apache-2.0
//
// The pages in headless Chromium, held against the JSON reports and against the
// task graph and kernel source themselves. Reads from standard input where all
// that is: page_test.py writes it.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const plan = JSON.parse(readFileSync(0, 'utf8'));
const {chromium} = createRequire(import.meta.url)(plan.playwright);
const browser = await chromium.launch(
  {executablePath: plan.chromium, args: ['--no-sandbox']});
const readJson = path => JSON.parse(readFileSync(path, 'utf8'));

// Runs `check` on an open page, which may neither complain nor load anything.
async function onPage(title, {page: path}, scheme, check) {
  const page = await browser.newPage({colorScheme: scheme});
  const faults = [];
  page.on('console', message => faults.push(message.text()));
  page.on('pageerror', error => faults.push(error.message));
  page.on('dialog', dialog => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const url = pathToFileURL(path).href;
  page.on('request', request => {
    if (request.url().split('#')[0] !== url) faults.push(request.url());
  });
  await page.goto(url);
  await check(page);
  assert.deepEqual(faults, [], title);
  await page.close();
  console.log(`ok: ${title}`);
}

// The facts of the panel: {Readers: ['8 on rank 0'], …}.
const panelOf = page => page.locator('#facts').evaluate(panel => ({
  title: panel.querySelector('h3').textContent,
  facts: Object.fromEntries([...panel.querySelectorAll('dt')].map(term =>
    [term.textContent, term.nextElementSibling.innerText])),
  tasks: [...panel.querySelectorAll('tbody tr')].map(row =>
    [...row.cells].map(cell => cell.innerText)),
}));

const cellOf = (page, family, where) => page.locator(
  `td.cell[aria-label^="${family}, ${where}: "]`);

const numberIn = text => Number(/[\d,]+/.exec(text)[0].replaceAll(',', ''));

// Every cell of the map against the JSON report.
async function checkCounts(page, report) {
  await page.locator('#scratch').check();
  const shown = new Map(await page.locator('#map td.cell').evaluateAll(cells =>
    cells.map(cell => cell.getAttribute('aria-label').split(/: |;/, 2))));
  let cells = 0;
  for (const tensor of report.tensors) {
    const layer = /^(.*#)/.test(tensor.family) &&
      report.tensors.length > 0 && tensor.name.match(/^layer_\d+/);
    const expect = (where, reads) => {
      const text = shown.get(`${tensor.family}, ${where}`);
      assert.ok(text, `${tensor.family}, ${where} is not on the map`);
      assert.equal(numberIn(text), reads, `${tensor.name} in ${where}`);
      ++cells;
    };
    if (layer) {
      expect(layer[0], tensor.input_refs);
    } else if (!tensor.family.includes('#')) {
      expect('in all', tensor.input_refs);
      for (const [name, reads] of Object.entries(tensor.reads_by_layer)) {
        expect(name, reads);
      }
    }
  }
  assert.ok(cells > 30, `only ${cells} cells were compared`);
  await page.locator('#scratch').uncheck();
}

// The facts of one cell against the report, the graph and the source.
async function checkFacts(page, report, tensor, layer) {
  const {title, facts, tasks} = await panelOf(page);
  assert.equal(title, tensor.name);
  assert.equal(facts.Where, layer);
  assert.equal(numberIn(facts.Readers), tensor.input_refs);
  assert.equal(numberIn(facts.Writers), tensor.output_refs);
  assert.equal(facts.Consumed, `${tensor.consumed ? 'yes' : 'no'}, on rank 0`);
  const source = readFileSync(report.ranks[0].kernel_file, 'utf8').split('\n');
  assert.match(source[numberIn(facts.Declared.split(':')[1]) - 1],
    new RegExp(`\\b${tensor.name}\\b`));
  const graph = readJson(report.ranks[0].graph_file).all_tasks;
  let named = 0;
  for (const [slot, type, count, ids, waits, triggers] of tasks) {
    const [side, number] = slot.split(' ');
    const [first] = ids.split(/[–,]/);
    const task = graph[Number(first)];
    const operand = task[side === 'in' ? 'inputs' : 'outputs'][Number(number)];
    assert.equal(operand.base_ptr, tensor.name);
    assert.equal(report.task_types[task.task_type], type.split('\n')[0]);
    assert.match(source[numberIn(/line (\d+)/.exec(type)[1]) - 1],
      new RegExp(report.task_types[task.task_type]));
    // Below 2^53, unlike "none" and the tag of NVSHMEM, which toys lack.
    const index = event => Number(BigInt.asUintN(32, BigInt(event)));
    assert.ok(waits.includes(String(index(task.dependent_event))) ||
      waits.includes('more'), waits);
    assert.ok(triggers.includes(String(index(task.trigger_event))) ||
      triggers.includes('more'), triggers);
    named += numberIn(count);
  }
  assert.equal(named, tensor.input_refs + tensor.output_refs);
}

// The least contrast of the texts that can be seen, as WCAG reckons it.
const leastContrast = page => page.evaluate(() => {
  const parse = colour => {
    const numbers = colour.match(/[\d.]+/g).map(Number);
    return {rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1};
  };
  const luminance = rgb => rgb.map(value => value / 255)
    .map(v => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const {rgb, alpha} = parse(getComputedStyle(at).backgroundColor);
      if (alpha === 1) return rgb;
    }
    return [255, 255, 255];
  };
  let least = [Infinity, ''];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() ||
        element.closest('svg, script, option')) continue;
    const ink = luminance(parse(getComputedStyle(element).color).rgb);
    const paper = luminance(behind(element));
    const contrast = (Math.max(ink, paper) + 0.05) /
      (Math.min(ink, paper) + 0.05);
    if (contrast < least[0]) {
      least = [contrast, walker.currentNode.data.trim().slice(0, 40)];
    }
  }
  return least;
});

async function checkContrast(page) {
  const [contrast, text] = await leastContrast(page);
  assert.ok(contrast >= 4.5, `"${text}" has a contrast of ${contrast}`);
}

const background = page => page.evaluate(() =>
  getComputedStyle(document.body).backgroundColor);

const faulty = readJson(plan.faulty.report);
const tensorNamed = name => faulty.tensors.find(one => one.name === name);

for (const scheme of ['light', 'dark']) {
  await onPage(`${scheme}: counts, contrast and the toggle`, plan.faulty,
    scheme, async page => {
      assert.equal(await page.locator('.verdict').innerText(), '✕ FAIL');
      assert.match(await page.locator('.counts').innerText(),
        new RegExp(`^${faulty.totals.errors} error`));
      for (const finding of await page.locator('details').all()) {
        await finding.evaluate(element => { element.open = true; });
      }
      await checkContrast(page);
      const before = await background(page);
      await page.locator('#theme').click();
      assert.notEqual(await background(page), before);
      await checkContrast(page);
      await checkCounts(page, faulty);
    });
}

await onPage('a click shows the facts of the cell', plan.faulty, 'light',
  async page => {
    let checked = 0;
    for (const tensor of faulty.tensors) {
      const [layer] = tensor.name.match(/^layer_\d+/) || [];
      if (!layer || !tensor.critical) continue;
      await cellOf(page, tensor.family, layer).click();
      await checkFacts(page, faulty, tensor, layer);
      ++checked;
    }
    assert.ok(checked >= 8, `only ${checked} cells were clicked`);
    const missing = cellOf(page, 'rope_cos', 'in all');
    assert.match(await missing.innerText(), /^✕0/);
    await missing.click();
    await checkFacts(page, faulty, tensorNamed('rope_cos'),
      'in all of the graph');
    await page.locator('#facts a').first().click();
    assert.ok(await page.locator('details.finding[open]')
      .filter({hasText: 'rope_cos'}).first().isVisible());
  });

await onPage('the map is walked with keys', plan.faulty, 'light',
  async page => {
    const focused = () => page.evaluate(() =>
      document.activeElement.getAttribute('aria-label'));
    for (let i = 0; !/reader/.test(await focused() || ''); ++i) {
      assert.ok(i < 80, 'the map is not in the tab order');
      await page.keyboard.press('Tab');
    }
    const start = await focused();
    assert.match(start, /^rope_cos, in all: 0 readers; missing/);
    const outline = await page.evaluate(() => {
      const style = getComputedStyle(document.activeElement);
      return [style.outlineStyle, parseFloat(style.outlineWidth)];
    });
    assert.equal(outline[0], 'solid');
    assert.ok(outline[1] >= 2);
    await page.keyboard.press('ArrowRight');
    assert.match(await focused(), /^rope_cos, layer_0: 0 readers/);
    await page.keyboard.press('End');
    assert.match(await focused(), /^rope_cos, (layer_\d+|outside)/);
    await page.keyboard.press('Home');
    assert.equal(await focused(), start);
    await page.keyboard.press('ArrowDown');
    const below = await focused();
    assert.notEqual(below, start);
    await page.keyboard.press('Enter');
    const {title} = await panelOf(page);
    assert.equal(title, below.split(',')[0]);
    assert.equal(await page.locator('[aria-selected="true"]').count(), 1);
  });

// The ranks and layers of a finding, as its row has them.
function whereOf(finding, ranks) {
  const one = (noun, numbers) =>
    `${noun}${numbers.length === 1 ? '' : 's'} ${numbers.join(', ')}`;
  return [
    finding.layers?.length > 0 && one('layer', finding.layers),
    finding.ranks.length === ranks ? `all ${ranks} ranks`
      : one('rank', finding.ranks),
  ].filter(Boolean).join(', ');
}

await onPage('of a deep model the odd layer is in view, and rows say where',
  plan.deep, 'light', async page => {
    const deep = readJson(plan.deep.report);
    await page.setViewportSize({width: 800, height: 700});
    await page.reload();
    const {chosen, box, names, layer, scrolled} = await page.evaluate(() => {
      const map = document.querySelector('.map');
      const cell = map.querySelector('td[aria-selected="true"]');
      const sides = element => {
        const {left, right, top, bottom} = element.getBoundingClientRect();
        return {left, right, top, bottom};
      };
      return {chosen: sides(cell), box: sides(map),
              names: sides(cell.parentElement.cells[0]),
              layer: cell.getAttribute('aria-label'), scrolled: scrollY};
    });
    assert.match(layer, /, layer_(29|30): .*(odd|missing)/);
    assert.ok(chosen.left >= names.right && chosen.right <= box.right, layer);
    assert.ok(chosen.top >= box.top && chosen.bottom <= box.bottom, layer);
    assert.equal(scrolled, 0);
    const rows = await page.locator('#findings > details > summary .where')
      .allInnerTexts();
    assert.ok(deep.findings.some(one => one.layers?.includes(30)));
    assert.deepEqual(rows.map(text => text.trim()),
      deep.findings.map(finding => whereOf(finding, 2)));
  });

await onPage('search and filters', plan.faulty, 'light', async page => {
  const items = page.locator('#findings > details.finding[id]:visible');
  const all = await items.count();
  assert.equal(all, faulty.findings.length);
  await page.locator('input[name="error"]').uncheck();
  assert.equal(await items.count(),
    faulty.findings.filter(one => one.severity !== 'error').length);
  await page.locator('input[name="error"]').check();
  await page.locator('#rule').selectOption('missing-wiring');
  assert.equal(await items.count(),
    faulty.findings.filter(one => one.rule === 'missing-wiring').length);
  await page.locator('#rule').selectOption('');
  await page.locator('#search').fill('ROPE_cos');
  assert.ok(await items.count() >= 1);
  assert.deepEqual(await page.locator('.heat tbody th[scope="row"]')
    .filter({hasNotText: 'findings of'}).allInnerTexts(), ['rope_cos']);
  assert.equal(await page.locator('#tensors tbody tr').count(), 1);
  await page.locator('#search').fill('no such thing');
  assert.equal(await items.count(), 0);
  for (const text of ['No finding matches.', 'No tensor matches.',
                      'No family or tensor matches.']) {
    assert.ok(await page.getByText(text, {exact: true}).isVisible(), text);
  }
});

await onPage('names with markup stay text', plan.marked, 'light',
  async page => {
    for (const finding of await page.locator('details').all()) {
      await finding.evaluate(element => { element.open = true; });
    }
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('h1 b').count(), 0);
    assert.ok((await page.locator('h1').innerText())
      .endsWith('<b>marked & "quoted"'));
    assert.ok((await page.locator('#findings').innerText())
      .includes(plan.markup));
  });

await onPage('what could not be audited is said', plan.invalid, 'light',
  async page => {
    assert.equal(await page.locator('.verdict').innerText(), '✕ NOT AUDITED');
    assert.match(await page.locator('#errors').innerText(), /absent/);
  });

const campaign = readJson(plan.campaign.report);
for (const scheme of ['light', 'dark']) {
  await onPage(`${scheme}: a campaign`, plan.campaign, scheme, async page => {
    await checkContrast(page);
    const labels = await page.locator('#matrix td.cell').evaluateAll(cells =>
      cells.map(cell => cell.getAttribute('aria-label')));
    let caught = 0;
    for (const op of campaign.by_operator) {
      for (const [rule, count] of Object.entries(op.rules)) {
        assert.ok(labels.includes(`${op.operator}: ${rule} caught ${count}`));
        caught += count;
      }
      for (const [key, count] of Object.entries(op.counts)) {
        assert.ok(labels.includes(
          `${op.operator}: ${count} ${key.replace('_', ' ')}`));
      }
    }
    assert.ok(caught > 0);
    await page.locator('#outcome').selectOption('equivalent');
    const [mutant] = campaign.equivalent;
    const item = page.locator('#mutants details')
      .filter({hasText: mutant.id}).first();
    const text = await item.innerText();
    for (const part of [mutant.before, mutant.after, mutant.replay]) {
      assert.ok(text.includes(part), part);
    }
  });
}

await browser.close();
