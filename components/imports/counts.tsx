import { formatCount } from '@/components/ui/number'
import type { Import } from '@/lib/import/contract'

type Props = {
  of: Pick<Import, 'created' | 'updated' | 'unchanged' | 'refused'>
  isDryRun?: boolean
}

/** How many records an import creates, changes and refuses. */
export function Counts({ of: { created, updated, unchanged, refused }, isDryRun = false }: Props) {
  const counts = [
    { label: isDryRun ? 'To create' : 'Created', count: created },
    { label: isDryRun ? 'To update' : 'Updated', count: updated },
    ...(unchanged > 0 ? [{ label: 'Unchanged', count: unchanged }] : []),
    { label: 'Refused', count: refused },
  ]
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      {counts.map(({ label, count }) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-xs text-muted-foreground">{label}</dt>
          <dd
            className={`tabular text-lg font-semibold ${label === 'Refused' && count > 0 ? 'text-destructive' : ''}`}
          >
            {formatCount(count)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
