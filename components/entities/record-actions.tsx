import {
  ChevronDownIcon,
  ChevronUpIcon,
  ExternalLinkIcon,
  PencilIcon,
  Trash2Icon,
} from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useEffectEvent, useState } from 'react'
import { buttonClass, IconButton } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Link } from '@/components/ui/link'
import { toast } from '@/components/ui/toast'
import type { RecordRights } from './record-rights'
import { titleOf } from './record-title'
import type { RecordViewProps } from './record-view'
import type { EntityRecord } from './types'
import { usePanel } from './use-panel'

const DeleteRecords = dynamic(() => import('./delete-records'), { ssr: false })

/** Actions on the open record. */
export function RecordActions({
  entity,
  columns,
  query,
  rights: { edit, remove },
  link,
  neighbours,
  onClose,
  record,
}: RecordViewProps & { record: EntityRecord; rights: RecordRights }) {
  const panel = usePanel()
  const [deleting, setDeleting] = useState(false)
  const href = `/entities/${encodeURIComponent(entity)}?record=${encodeURIComponent(record.persistenceId)}`
  return (
    <div className="flex shrink-0 items-center">
      {neighbours && <Neighbours {...neighbours} />}
      <CopyButton text={`${window.location.origin}${href}`} label="Copy the link to this record" />
      {link && (
        <Link
          href={href}
          aria-label={`Open in ${entity}`}
          className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
        >
          <ExternalLinkIcon aria-hidden />
        </Link>
      )}
      {edit.isOffered && (
        <IconButton
          icon={PencilIcon}
          label={edit.why ? `Edit: ${edit.why}` : 'Edit'}
          title={edit.why ?? undefined}
          aria-disabled={edit.why !== null}
          onClick={() => (edit.why ? toast.info(edit.why, { id: 'right' }) : panel.edit(true))}
        />
      )}
      {remove.isOffered && (
        <IconButton
          icon={Trash2Icon}
          label={remove.why ? `Delete: ${remove.why}` : 'Delete'}
          title={remove.why ?? undefined}
          aria-disabled={remove.why !== null}
          className="text-destructive"
          onClick={() => (remove.why ? toast.info(remove.why, { id: 'right' }) : setDeleting(true))}
        />
      )}
      {deleting && (
        <DeleteRecords
          entity={entity}
          query={query}
          name={titleOf(record, columns)}
          onClose={() => setDeleting(false)}
          onDeleted={onClose}
        />
      )}
    </div>
  )
}

/** The rows before and after: also with `k` and `j` while the focus is in the panel. */
function Neighbours({ before, after }: { before?: string; after?: string }) {
  const { open } = usePanel()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const { dialog, isTaken } = placeOf(target as Element)
    if (!dialog || isTaken || ctrlKey || metaKey || altKey || event.defaultPrevented) return
    const next = key === 'j' ? after : key === 'k' ? before : undefined
    if (next) open(next)
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <IconButton
        icon={ChevronUpIcon}
        label="Previous record"
        disabled={!before}
        onClick={() => before && open(before)}
      />
      <IconButton
        icon={ChevronDownIcon}
        label="Next record"
        disabled={!after}
        onClick={() => after && open(after)}
      />
    </>
  )
}

/** Whether an element is in a panel, and takes letters itself. */
const placeOf = (element: Element) => ({
  dialog: element.closest('[role="dialog"]'),
  isTaken: element.closest('input,textarea,select,[contenteditable],[role="menu"]') !== null,
})
