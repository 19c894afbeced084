// Counts over time as stacked bars with a tooltip. For screen readers: a summary sentence and a table.
import { AxisBottom, AxisLeft } from '@visx/axis';
import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { type PointerEvent, useState } from 'react';
import { formatDateTime } from '../components/Timestamp.tsx';
import { formatNumber } from '../format.ts';

export type Series<Name extends string> = {
  name: Name;
  label: string;
  tone: 'good' | 'warn' | 'bad' | 'accent' | 'plain';
};

export type TimeBucket<Name extends string> = { at: string } & Record<Name, number>;

type StackedBarChartProps<Name extends string> = {
  label: string;
  /** The chart as a sentence. */
  summary: string;
  buckets: readonly TimeBucket<Name>[];
  series: readonly Series<Name>[];
  /** The texts of the axis for some of the buckets' times. */
  tickTexts: (ticks: readonly string[]) => string[];
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
      <div className="chart-plot" ref={parentRef}>
        {width > margin.left && height > 0 && <ChartPlot {...props} width={width} height={height} />}
      </div>
      <ChartDataTable {...props} />
    </figure>
  );
};

type Size = { width: number; height: number };

const sumOf = <Name extends string>(bucket: TimeBucket<Name>, series: readonly Series<Name>[]): number =>
  series.reduce((sum, { name }) => sum + bucket[name], 0);

type Scales = ReturnType<typeof scalesFor>;

const scalesFor = <Name extends string>(
  buckets: readonly TimeBucket<Name>[],
  series: readonly Series<Name>[],
  size: Size,
) => {
  const width = size.width - margin.left - margin.right;
  const height = size.height - margin.top - margin.bottom;
  const maximum = Math.max(4, ...buckets.map((bucket) => sumOf(bucket, series)));
  const x = scaleBand({ domain: buckets.map(({ at }) => at), range: [0, width], padding: 0.25 });
  const y = scaleLinear({ domain: [0, maximum], range: [height, 0], nice: 4 });
  return { width, height, x, y };
};

const ChartPlot = <Name extends string>(props: StackedBarChartProps<Name> & Size) => {
  const { buckets, series, width, height, summary } = props;
  const [hoveredIndex, setHoveredIndex] = useState<number>();
  const scales = scalesFor(buckets, series, { width, height });
  const updateHovered = (event: PointerEvent<SVGRectElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / scales.width) * buckets.length);
    setHoveredIndex(Math.min(buckets.length - 1, Math.max(0, index)));
  };
  const bucket = hoveredIndex === undefined ? undefined : buckets[hoveredIndex];
  return (
    <>
      <svg width={width} height={height} role="img" aria-label={summary}>
        <g transform={`translate(${margin.left},${margin.top})`}>
          <Axes {...props} scales={scales} />
          <Bars buckets={buckets} series={series} scales={scales} hoveredIndex={hoveredIndex} />
          <rect
            width={scales.width}
            height={scales.height}
            fill="transparent"
            onPointerMove={updateHovered}
            onPointerDown={updateHovered}
            onPointerLeave={() => setHoveredIndex(undefined)}
          />
        </g>
      </svg>
      {bucket && (
        <ChartTooltip
          bucket={bucket}
          series={series}
          alignRight={hoveredIndex! > buckets.length / 2}
          x={margin.left + (scales.x(bucket.at) ?? 0)}
          width={width}
        />
      )}
    </>
  );
};

// Resets the library's font attributes, so that the page's styles apply.
const tickTextStyle = { fontSize: '', fontFamily: '', fill: '' };

const Axes = <Name extends string>({
  buckets,
  tickTexts,
  scales,
}: StackedBarChartProps<Name> & { scales: Scales }) => {
  const { x, y, width, height } = scales;
  const ticks = pickEvenly(buckets, Math.max(2, Math.floor(width / 100))).map(({ at }) => at);
  const texts = tickTexts(ticks);
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
        tickValues={ticks}
        tickFormat={(at) => texts[ticks.indexOf(at)]}
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

/** At most `count` items at equal distances, none at the edges, where labels would be cut off. */
const pickEvenly = <Item,>(items: readonly Item[], count: number): Item[] => {
  const distance = Math.max(1, Math.ceil(items.length / count));
  return items.filter((_, index) => index % distance === Math.floor(distance / 2));
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
    className="chart-tooltip"
    aria-hidden="true"
    style={alignRight ? { insetInlineEnd: width - x + 8 } : { insetInlineStart: x + 16 }}
  >
    <div className="muted">{formatDateTime(bucket.at)}</div>
    {series.map(({ name, label, tone }) => (
      <div key={name} className="row">
        <span className="row">
          <span className={`swatch ${tone}`} />
          {label}
        </span>
        <strong className="number">{formatNumber(bucket[name])}</strong>
      </div>
    ))}
  </div>
);

/** The buckets with a count above 0, newest first. */
const ChartDataTable = <Name extends string>({ label, buckets, series }: StackedBarChartProps<Name>) => {
  const nonEmpty = buckets.filter((bucket) => sumOf(bucket, series) > 0).reverse();
  if (nonEmpty.length === 0) return null;
  return (
    <details className="chart-data">
      <summary>View as table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable by keyboard. */}
      <section className="chart-data-table" tabIndex={0} aria-label={`${label} as table`}>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              {series.map((item) => (
                <th key={item.name} scope="col">
                  {item.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {nonEmpty.map((bucket) => (
              <tr key={bucket.at}>
                <th scope="row">{formatDateTime(bucket.at)}</th>
                {series.map(({ name }) => (
                  <td key={name}>{formatNumber(bucket[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
};
