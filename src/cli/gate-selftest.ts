/** `npm run gate:selftest`: simulates the gate and the canary with their own functions, prints their error rates, and exits 1 when a bound is not met. */
import { gateSelfTest, WHOLE, type SelfTestFigure } from './selftest/gate-selftest.ts';
import { createOutput } from './output.ts';
import { safe } from './text/safe.ts';

const output = createOutput({ json: process.argv.includes('--json'), piped: 'text' });
const began = Date.now();
const figures = gateSelfTest(WHOLE);
const failed = figures.filter(({ ok }) => !ok);

if (output.json) output.printJson({ ok: failed.length === 0, ...WHOLE, durationMs: Date.now() - began, figures });
else {
  const { paint } = output;
  output.table(
    ['', 'figure', 'value', 'bound'],
    figures.map((figure) => [figure.bound === null ? ' ' : figure.ok ? paint.green('✓') : paint.red('✗'), figure.what, shown(figure, figure.value), bound(figure)]),
    [2],
  );
  output.print();
  output.print(
    safe`${WHOLE.singles} experiments of 40 cases and 3 repeats for each rate, ${WHOLE.series} series of 20 for each effect, ${WHOLE.canaries} canaries; seed ${WHOLE.seed}, ${((Date.now() - began) / 1_000).toFixed(1)} s`,
  );
  if (failed.length > 0) output.print(safe`${paint.red('✗')} not met: ${failed.map(({ what }) => what).join('; ')}`);
}
process.exitCode = failed.length === 0 ? 0 : 1;

function shown({ unit }: SelfTestFigure, value: number | null): string {
  if (value === null) return 'never';
  if (unit === 'share') return `${(value * 100).toFixed(1)}%`;
  return unit === 'pairs' ? String(value) : value.toFixed(2);
}

function bound(figure: SelfTestFigure): string {
  if (figure.bound === null) return 'stated';
  return 'atMost' in figure.bound ? `at most ${shown(figure, figure.bound.atMost)}` : `at least ${shown(figure, figure.bound.atLeast)}`;
}
