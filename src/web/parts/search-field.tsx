type SearchFieldProps = { label: string; value: string; typed(text: string): void };

export function SearchField({ label, value, typed }: SearchFieldProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={(event) => typed(event.currentTarget.value)}
    />
  );
}
