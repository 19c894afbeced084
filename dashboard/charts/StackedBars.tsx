// Counts over time as stacked bars, with a readable line under the pointer. Screen readers get a sentence and, like
// everybody who prefers numbers, a table.
import { AxisBottom, AxisLeft } from '@visx/axis';
import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { type PointerEvent, useState } from 'react';
import { exactly } from '../parts/When.tsx';

export type Series<Name extends string> = {
  name: Name;
  label: string;
  tone: 'good' | 'warn' | 'bad' | 'accent' | 'plain';
};

export type Step<Name extends string> = { at: string } & Record<Name, number>;

type StackedBarsProps<Name extends string> = {
  label: string;
  /** The chart in a sentence. */
  summary: string;
  steps: readonly Step<Name>[];
  series: readonly Series<Name>[];
  tick: Intl.DateTimeFormat;
};

const margin = { top: 8, right: 4, bottom: 24, left: 40 };

export const StackedBars = <Name extends string>(props: StackedBarsProps<Name>) => {
  const { parentRef, width, height } = useParentSize({ debounceTime: 50 });
  return (
    <figure className="chart">
      <ul className="legend" aria-hidden="true">
        {props.series.map(({ name, label, tone }) => (
          <li key={name}>
            <span className={`swatch ${tone}`} />
            {label}
          </li>
        ))}
      </ul>
      <div className="drawing" ref={parentRef}>
        {width > margin.left && height > 0 && <Drawing {...props} width={width} height={height} />}
      </div>
      <Numbers {...props} />
    </figure>
  );
};

type Size = { width: number; height: number };

const sumOf = <Name extends string>(step: Step<Name>, series: readonly Series<Name>[]): number =>
  series.reduce((sum, { name }) => sum + step[name], 0);

type Scales = ReturnType<typeof scalesFor>;

const scalesFor = <Name extends string>(
  steps: readonly Step<Name>[],
  series: readonly Series<Name>[],
  size: Size,
) => {
  const width = size.width - margin.left - margin.right;
  const height = size.height - margin.top - margin.bottom;
  const most = Math.max(4, ...steps.map((step) => sumOf(step, series)));
  const x = scaleBand({ domain: steps.map(({ at }) => at), range: [0, width], padding: 0.25 });
  const y = scaleLinear({ domain: [0, most], range: [height, 0], nice: 4 });
  return { width, height, x, y };
};

const Drawing = <Name extends string>(props: StackedBarsProps<Name> & Size) => {
  const { steps, series, width, height, summary } = props;
  const [pointed, setPointed] = useState<number>();
  const scales = scalesFor(steps, series, { width, height });
  const point = (event: PointerEvent<SVGRectElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / scales.width) * steps.length);
    setPointed(Math.min(steps.length - 1, Math.max(0, place)));
  };
  const step = pointed === undefined ? undefined : steps[pointed];
  return (
    <>
      <svg width={width} height={height} role="img" aria-label={summary}>
        <g transform={`translate(${margin.left},${margin.top})`}>
          <Axes {...props} scales={scales} />
          <Bars steps={steps} series={series} scales={scales} pointed={pointed} />
          <rect
            width={scales.width}
            height={scales.height}
            fill="transparent"
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => setPointed(undefined)}
          />
        </g>
      </svg>
      {step && (
        <Pointed
          step={step}
          series={series}
          isLate={pointed! > steps.length / 2}
          x={margin.left + (scales.x(step.at) ?? 0)}
          width={width}
        />
      )}
    </>
  );
};

// The page's styles give the letters; the library would set its own.
const letters = { fontSize: '', fontFamily: '', fill: '' };

const Axes = <Name extends string>({ steps, tick, scales }: StackedBarsProps<Name> & { scales: Scales }) => {
  const { x, y, width, height } = scales;
  const ticks = spread(steps, Math.max(2, Math.floor(width / 90)));
  return (
    <>
      <g className="grid">
        {y.ticks(4).map((value) => (
          <line key={value} x2={width} y1={y(value)} y2={y(value)} />
        ))}
      </g>
      <AxisLeft
        scale={y}
        numTicks={4}
        hideAxisLine
        hideTicks
        tickFormat={(value) => compact.format(Number(value))}
        tickLabelProps={{ textAnchor: 'end', dx: '-0.25em', dy: '0.3em', ...letters }}
      />
      <AxisBottom
        top={height}
        scale={x}
        hideTicks
        hideAxisLine
        tickValues={ticks.map(({ at }) => at)}
        tickFormat={(at) => tick.format(new Date(at))}
        tickLabelProps={{ textAnchor: 'middle', dy: '0.25em', ...letters }}
      />
    </>
  );
};

type BarsProps<Name extends string> = {
  steps: readonly Step<Name>[];
  series: readonly Series<Name>[];
  scales: Scales;
  pointed: number | undefined;
};

const Bars = <Name extends string>({ steps, series, scales, pointed }: BarsProps<Name>) => (
  <BarStack
    data={steps as Step<Name>[]}
    keys={series.map(({ name }) => name)}
    x={({ at }) => at}
    xScale={scales.x}
    yScale={scales.y}
    color={() => ''}
  >
    {(stacks) =>
      stacks.flatMap(({ key, bars }) =>
        bars
          .filter((bar) => bar.height > 0)
          .map((bar) => (
            <rect
              key={`${key}-${bar.index}`}
              className={`fill-${series.find(({ name }) => name === key)!.tone}`}
              x={bar.x}
              y={bar.y}
              width={bar.width}
              height={Math.max(1, bar.height)}
              opacity={pointed === undefined || pointed === bar.index ? 1 : 0.55}
            />
          )),
      )
    }
  </BarStack>
);

const compact = new Intl.NumberFormat('en-GB', { notation: 'compact' });

/** As many as there is room for, at equal distances, neither at the edge where they would be cut. */
const spread = <Item,>(items: readonly Item[], count: number): Item[] => {
  const distance = Math.max(1, Math.ceil(items.length / count));
  return items.filter((_, place) => place % distance === Math.floor(distance / 2));
};

type PointedProps<Name extends string> = {
  step: Step<Name>;
  series: readonly Series<Name>[];
  isLate: boolean;
  x: number;
  width: number;
};

const Pointed = <Name extends string>({ step, series, isLate, x, width }: PointedProps<Name>) => (
  <div
    className="hover-card"
    aria-hidden="true"
    style={isLate ? { insetInlineEnd: width - x + 8 } : { insetInlineStart: x + 16 }}
  >
    <div className="soft">{exactly(step.at)}</div>
    {series.map(({ name, label, tone }) => (
      <div key={name} className="row">
        <span className="row">
          <span className={`swatch ${tone}`} />
          {label}
        </span>
        <strong className="number">{step[name].toLocaleString('en-GB')}</strong>
      </div>
    ))}
  </div>
);

/** Only the steps in which something happened, the newest first: the others would bury them. */
const Numbers = <Name extends string>({ label, steps, series }: StackedBarsProps<Name>) => {
  const told = steps.filter((step) => sumOf(step, series) > 0).reverse();
  if (told.length === 0) return null;
  return (
    <details className="numbers">
      <summary>The same as numbers</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="numbers-table" tabIndex={0} aria-label={`${label} as numbers`}>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              {series.map((one) => (
                <th key={one.name} scope="col">
                  {one.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {told.map((step) => (
              <tr key={step.at}>
                <th scope="row">{exactly(step.at)}</th>
                {series.map(({ name }) => (
                  <td key={name}>{step[name].toLocaleString('en-GB')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
};
