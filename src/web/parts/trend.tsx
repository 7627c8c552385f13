type TrendProps = { values: readonly number[]; label: string };

const [width, height, edge] = [240, 48, 5];

/** A line over time, oldest first, as wide as its place. */
export function Trend({ values, label }: TrendProps) {
  if (values.length === 0) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (index: number) => edge + (values.length === 1 ? 0.5 : index / (values.length - 1)) * (width - 2 * edge);
  const y = (value: number) =>
    high === low ? height / 2 : height - edge - ((value - low) / (high - low)) * (height - 2 * edge);
  const points = values.map((value, index) => `${x(index)},${y(value)}`);
  return (
    <svg class="trend" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} width="100%">
      <title>{label}</title>
      <polyline points={points.join(" ")} />
      <circle cx={x(values.length - 1)} cy={y(values.at(-1) ?? 0)} r="3" />
    </svg>
  );
}
