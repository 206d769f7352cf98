import {
  ChevronDownIcon,
  ChevronUpIcon,
  ExternalLinkIcon,
  PencilIcon,
  Trash2Icon,
} from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { buttonClass, IconButton } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Link } from '@/components/ui/link'
import { toast } from '@/components/ui/toast'
import type { RecordRights } from './record-rights'
import { titleOf } from './record-title'
import type { RecordViewProps } from './record-view'
import type { EntityRecord } from './types'
import { usePanel } from './use-panel'
import { usePanelKeys } from './use-panel-keys'

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
  const onEdit = () => (edit.why ? toast.info(edit.why, { id: 'right' }) : void panel.edit(true))
  usePanelKeys({ e: edit.isOffered && !deleting ? onEdit : undefined })
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
          onClick={onEdit}
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

/** The rows before and after: also with `k` and `j`. */
function Neighbours({ before, after }: { before?: string; after?: string }) {
  const { open } = usePanel()
  const previous = before ? () => void open(before) : undefined
  const next = after ? () => void open(after) : undefined
  usePanelKeys({ j: next, k: previous })
  return (
    <>
      <IconButton
        icon={ChevronUpIcon}
        label="Previous record"
        disabled={!previous}
        onClick={previous}
      />
      <IconButton icon={ChevronDownIcon} label="Next record" disabled={!next} onClick={next} />
    </>
  )
}
