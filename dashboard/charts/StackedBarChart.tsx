// Counts over time as stacked bars, with a readable line under the pointer. Screen readers get a sentence and, like
// everybody who prefers numbers, a table.
import { AxisBottom, AxisLeft } from '@visx/axis';
import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { type PointerEvent, useState } from 'react';
import { formatDateTime } from '../components/Timestamp.tsx';

export type Series<Name extends string> = {
  name: Name;
  label: string;
  tone: 'good' | 'warn' | 'bad' | 'accent' | 'plain';
};

export type TimeBucket<Name extends string> = { at: string } & Record<Name, number>;

type StackedBarChartProps<Name extends string> = {
  label: string;
  /** The chart in a sentence. */
  summary: string;
  buckets: readonly TimeBucket<Name>[];
  series: readonly Series<Name>[];
  tickFormat: Intl.DateTimeFormat;
};

const margin = { top: 8, right: 4, bottom: 24, left: 40 };

export const StackedBarChart = <Name extends string>(props: StackedBarChartProps<Name>) => {
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
        {width > margin.left && height > 0 && <ChartPlot {...props} width={width} height={height} />}
      </div>
      <ChartDataTable {...props} />
    </figure>
  );
};

type Size = { width: number; height: number };

const sumOf = <Name extends string>(step: TimeBucket<Name>, series: readonly Series<Name>[]): number =>
  series.reduce((sum, { name }) => sum + step[name], 0);

type Scales = ReturnType<typeof scalesFor>;

const scalesFor = <Name extends string>(
  steps: readonly TimeBucket<Name>[],
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

const ChartPlot = <Name extends string>(props: StackedBarChartProps<Name> & Size) => {
  const { buckets, series, width, height, summary } = props;
  const [pointed, setPointed] = useState<number>();
  const scales = scalesFor(buckets, series, { width, height });
  const point = (event: PointerEvent<SVGRectElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / scales.width) * buckets.length);
    setPointed(Math.min(buckets.length - 1, Math.max(0, place)));
  };
  const step = pointed === undefined ? undefined : buckets[pointed];
  return (
    <>
      <svg width={width} height={height} role="img" aria-label={summary}>
        <g transform={`translate(${margin.left},${margin.top})`}>
          <Axes {...props} scales={scales} />
          <Bars buckets={buckets} series={series} scales={scales} hoveredIndex={pointed} />
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
        <ChartTooltip
          bucket={step}
          series={series}
          alignRight={pointed! > buckets.length / 2}
          x={margin.left + (scales.x(step.at) ?? 0)}
          width={width}
        />
      )}
    </>
  );
};

// The page's styles give the letters; the library would set its own.
const tickTextStyle = { fontSize: '', fontFamily: '', fill: '' };

const Axes = <Name extends string>({
  buckets,
  tickFormat,
  scales,
}: StackedBarChartProps<Name> & { scales: Scales }) => {
  const { x, y, width, height } = scales;
  const ticks = pickEvenly(buckets, Math.max(2, Math.floor(width / 90)));
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
        tickFormat={(value) => compactNumber.format(Number(value))}
        tickLabelProps={{ textAnchor: 'end', dx: '-0.25em', dy: '0.3em', ...tickTextStyle }}
      />
      <AxisBottom
        top={height}
        scale={x}
        hideTicks
        hideAxisLine
        tickValues={ticks.map(({ at }) => at)}
        tickFormat={(at) => tickFormat.format(new Date(at))}
        tickLabelProps={{ textAnchor: 'middle', dy: '0.25em', ...tickTextStyle }}
      />
    </>
  );
};

type BarsProps<Name extends string> = {
  buckets: readonly TimeBucket<Name>[];
  series: readonly Series<Name>[];
  scales: Scales;
  hoveredIndex: number | undefined;
};

const Bars = <Name extends string>({ buckets, series, scales, hoveredIndex }: BarsProps<Name>) => (
  <BarStack
    data={buckets as TimeBucket<Name>[]}
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
              opacity={hoveredIndex === undefined || hoveredIndex === bar.index ? 1 : 0.55}
            />
          )),
      )
    }
  </BarStack>
);

const compactNumber = new Intl.NumberFormat('en-GB', { notation: 'compact' });

/** As many as there is room for, at equal distances, neither at the edge where they would be cut. */
const pickEvenly = <Item,>(items: readonly Item[], count: number): Item[] => {
  const distance = Math.max(1, Math.ceil(items.length / count));
  return items.filter((_, place) => place % distance === Math.floor(distance / 2));
};

type ChartTooltipProps<Name extends string> = {
  bucket: TimeBucket<Name>;
  series: readonly Series<Name>[];
  alignRight: boolean;
  x: number;
  width: number;
};

const ChartTooltip = <Name extends string>({
  bucket,
  series,
  alignRight,
  x,
  width,
}: ChartTooltipProps<Name>) => (
  <div
    className="hover-card"
    aria-hidden="true"
    style={alignRight ? { insetInlineEnd: width - x + 8 } : { insetInlineStart: x + 16 }}
  >
    <div className="soft">{formatDateTime(bucket.at)}</div>
    {series.map(({ name, label, tone }) => (
      <div key={name} className="row">
        <span className="row">
          <span className={`swatch ${tone}`} />
          {label}
        </span>
        <strong className="number">{bucket[name].toLocaleString('en-GB')}</strong>
      </div>
    ))}
  </div>
);

/** Only the steps in which something happened, the newest first: the others would bury them. */
const ChartDataTable = <Name extends string>({ label, buckets, series }: StackedBarChartProps<Name>) => {
  const told = buckets.filter((step) => sumOf(step, series) > 0).reverse();
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
                <th scope="row">{formatDateTime(step.at)}</th>
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
