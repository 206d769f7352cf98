import { formatCount } from '@/components/ui/number'
import type { FileLog, InstallPreview } from './types'

/** What a rollback does to records and definitions. */
export function RollbackReport({ plan }: { plan: InstallPreview }) {
  const notes = plan.files.flatMap(({ changes }) => changes)
  const entities = plan.files.filter(({ kind }) => kind === 'data')
  return (
    <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 rounded-lg border px-3 py-2.5 text-[13px]">
      <dt className="text-muted-foreground">Version</dt>
      <dd className="tabular">
        {plan.installedVersion ?? 'Not installed'} → {plan.version ?? 'not installed'}
      </dd>
      {entities.length > 0 && (
        <>
          <dt className="text-muted-foreground">Records</dt>
          <dd>
            <ul>
              {entities.map((file) => (
                <li key={file.path} className="flex flex-wrap justify-between gap-x-3">
                  <span className="min-w-0 break-words">{file.path}</span>
                  <span className="tabular text-muted-foreground">{recordsText(file)}</span>
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
      {notes.length > 0 && (
        <>
          <dt className="text-muted-foreground">Definitions</dt>
          <dd>
            <ul>
              {notes.map((note) => (
                <li key={note} className="break-words">
                  {note}
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
    </dl>
  )
}

const recordsText = ({ records, removed }: FileLog): string =>
  [
    removed.deleted > 0 && `${formatCount(removed.deleted)} to the trash`,
    records.updated > 0 && `${formatCount(records.updated)} as before`,
    records.created > 0 && `${formatCount(records.created)} created again`,
  ]
    .filter(Boolean)
    .join(', ') || 'no change'
