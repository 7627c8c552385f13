type Bar = { name: string; value: number; behind: number; text: string };
type BarChartProps = { bars: Bar[]; label: string; tone?: string; isLinear?: boolean };

const rowHeight = 30;
const width = 480;

/** Horizontal bars, each with a paler one behind it. Text and colours come from the style sheet. */
export function BarChart({ bars, label, tone = "", isLinear = false }: BarChartProps) {
  const most = Math.max(1, ...bars.map(({ value, behind }) => Math.max(value, behind)));
  // One call that took a minute must not flatten all others.
  const share = (value: number) => (isLinear ? value / most : Math.sqrt(value / most));
  const lengthOf = (value: number) => (value <= 0 ? 0 : Math.max(2, share(value) * width));
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${bars.length * rowHeight}`} role="img" aria-label={label} width="100%">
      <title>{label}</title>
      {bars.map(({ name, value, behind, text }, index) => (
        <g key={name} transform={`translate(0 ${index * rowHeight})`}>
          <text x="0" y="12">
            {name}
          </text>
          <text class="value" x={width} y="12" text-anchor="end">
            {text}
          </text>
          <rect class="bar soft" x="0" y="17" height="7" rx="3" width={lengthOf(behind)} />
          <rect class={`bar ${tone}`} x="0" y="17" height="7" rx="3" width={lengthOf(value)} />
        </g>
      ))}
    </svg>
  );
}
