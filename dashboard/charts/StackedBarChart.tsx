// Counts over time as stacked bars with a tooltip. Screen readers get a summary sentence and a table.
import { type PointerEvent, useState } from 'react';
import { formatDateTime } from '../components/Timestamp.tsx';
import { formatNumber } from '../format.ts';
import { type Scales, scalesFor } from './scales.ts';
import { type Size, useSize } from './useSize.ts';

export type Series<Name extends string> = {
  name: Name;
  label: string;
  tone: 'good' | 'warn' | 'bad' | 'accent' | 'plain';
};

export type TimeBucket<Name extends string> = { at: string } & Record<Name, number>;

type StackedBarChartProps<Name extends string> = {
  label: string;
  /** Describes the chart in a sentence. */
  summary: string;
  buckets: readonly TimeBucket<Name>[];
  series: readonly Series<Name>[];
  /** The axis labels for some of the buckets' times. */
  tickTexts: (ticks: readonly string[]) => string[];
};

const margin = { top: 8, right: 4, bottom: 24, left: 40 };

export const StackedBarChart = <Name extends string>(props: StackedBarChartProps<Name>) => {
  const [place, size] = useSize();
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
      <div className="chart-plot" ref={place}>
        {size && size.width > margin.left && <ChartPlot {...props} {...size} />}
      </div>
      <ChartDataTable {...props} />
    </figure>
  );
};

const sumOf = <Name extends string>(bucket: TimeBucket<Name>, series: readonly Series<Name>[]): number =>
  series.reduce((sum, { name }) => sum + bucket[name], 0);

const ChartPlot = <Name extends string>(props: StackedBarChartProps<Name> & Size) => {
  const { buckets, series, width, height, summary } = props;
  const [hoveredIndex, setHoveredIndex] = useState<number>();
  const scales = scalesFor({
    width: width - margin.left - margin.right,
    height: height - margin.top - margin.bottom,
    bars: buckets.length,
    maximum: Math.max(...buckets.map((bucket) => sumOf(bucket, series))),
  });
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
          x={margin.left + scales.x(hoveredIndex!)}
          width={width}
        />
      )}
    </>
  );
};

const Axes = <Name extends string>({
  buckets,
  tickTexts,
  scales,
}: StackedBarChartProps<Name> & { scales: Scales }) => {
  const { x, y, width, height, barWidth, lines } = scales;
  const indexes = pickEvenly([...buckets.keys()], Math.max(2, Math.floor(width / 100)));
  const texts = tickTexts(indexes.map((index) => buckets[index]!.at));
  return (
    <>
      {lines.map((value) => (
        <g key={value} className="grid">
          <line x2={width} y1={y(value)} y2={y(value)} />
          <text x={-8} y={y(value)} dy="0.3em" textAnchor="end">
            {compactNumber.format(value)}
          </text>
        </g>
      ))}
      {indexes.map((index, position) => (
        <text key={index} x={x(index) + barWidth / 2} y={height} dy="1.5em" textAnchor="middle">
          {texts[position]}
        </text>
      ))}
    </>
  );
};

type BarsProps<Name extends string> = {
  buckets: readonly TimeBucket<Name>[];
  series: readonly Series<Name>[];
  scales: Scales;
  hoveredIndex: number | undefined;
};

const Bars = <Name extends string>({ buckets, series, scales, hoveredIndex }: BarsProps<Name>) =>
  buckets.map((bucket, index) => (
    <g key={bucket.at} opacity={hoveredIndex === undefined || hoveredIndex === index ? 1 : 0.55}>
      {series.map(({ name, tone }, position) => {
        const below = sumOf(bucket, series.slice(0, position));
        const height = scales.height - scales.y(bucket[name]);
        return (
          height > 0 && (
            <rect
              key={name}
              className={`fill-${tone}`}
              x={scales.x(index)}
              y={scales.y(below) - Math.max(1, height)}
              width={scales.barWidth}
              height={Math.max(1, height)}
            />
          )
        );
      })}
    </g>
  ));

const compactNumber = new Intl.NumberFormat('en-GB', { notation: 'compact' });

/** At most `count` evenly spaced items, none of them at the edges, where labels would be cut off. */
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
