import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { Facts } from '@/components/ui/facts'
import { Link } from '@/components/ui/link'
import { Sheet } from '@/components/ui/sheet'
import { Time } from '@/components/ui/time'
import { exactJsonText } from '@/lib/values/exact-json'
import { countIn, eventWords, mailWords, trashedIn } from './action-words'
import { AuditActor } from './audit-actor'
import type { AuditRow } from './audit-search'

/** One entry of the audit log with all its details. */
export function AuditPanel({ row, onClose }: { row: AuditRow | null; onClose: () => void }) {
  return (
    <Sheet
      open={row !== null}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={row ? eventWords(row.action) : ''}
      description={row ? `Entry ${row.id}` : undefined}
    >
      {row && <Entry {...row} />}
    </Sheet>
  )
}

function Entry(row: AuditRow) {
  const { action, createdAt, objectType, objectId, address, requestId, details } = row
  const mail = mailWords(details)
  const batchId = trashedIn(row)
  return (
    <div className="grid gap-5 p-4">
      <Facts
        facts={[
          { label: 'Action', value: <code className="font-mono text-xs">{action}</code> },
          countIn(row) !== '' && { label: 'Number', value: countIn(row) },
          { label: 'When', value: <Time value={createdAt} /> },
          { label: 'By', value: <AuditActor {...row} /> },
          { label: 'Address', value: address },
          { label: 'Object type', value: objectType },
          { label: 'Object id', value: <Copyable text={objectId} label="Copy the object's id" /> },
          mail ? { label: 'Mail', value: mail } : null,
          batchId ? { label: 'Trash', value: <TrashLink batchId={batchId} /> } : null,
          { label: 'Request', value: <Copyable text={requestId} label="Copy the request id" /> },
        ]}
      />
      <section aria-labelledby="audit-details" className="grid gap-2">
        <h3 id="audit-details" className="font-medium">
          Details
        </h3>
        <CodeBlock label="the details" code={exactJsonText(details, 2)} wrap />
      </section>
    </div>
  )
}

const TrashLink = ({ batchId }: { batchId: string }) => (
  <Link href={`/trash?batch=${batchId}`} className="text-primary hover:underline">
    Look inside or restore
  </Link>
)

function Copyable({ text, label }: { text: string | null; label: string }) {
  if (text === null) return '—'
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 font-mono text-xs break-all">{text}</span>
      <CopyButton text={text} label={label} />
    </span>
  )
}
