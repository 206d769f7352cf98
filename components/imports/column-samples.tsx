type Props = { column: string; samples: readonly string[] }

/** The name of a column of a file, and some of its values. */
export const ColumnSamples = ({ column, samples }: Props) => (
  <div className="min-w-0">
    <p className="truncate text-[13px] font-medium">{column}</p>
    <p className="truncate font-mono text-xs text-muted-foreground">
      {samples.length > 0 ? samples.join(' · ') : 'no values'}
    </p>
  </div>
)
