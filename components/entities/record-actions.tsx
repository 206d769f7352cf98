import {
  ChevronDownIcon,
  ChevronUpIcon,
  ExternalLinkIcon,
  PencilIcon,
  Trash2Icon,
} from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { buttonClass, IconButton } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Link } from '@/components/ui/link'
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
  readOnly,
  link,
  neighbours,
  onClose,
  record,
}: RecordViewProps & { record: EntityRecord }) {
  const panel = usePanel()
  const [deleting, setDeleting] = useState(false)
  const mayUpdate = useCan({ entity, action: 'update' }) && !readOnly
  const mayDelete = useCan({ entity, action: 'delete' }) && !readOnly
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
      {mayUpdate && <IconButton icon={PencilIcon} label="Edit" onClick={() => panel.edit(true)} />}
      {mayDelete && (
        <IconButton
          icon={Trash2Icon}
          label="Delete"
          className="text-destructive"
          onClick={() => setDeleting(true)}
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

function Neighbours({ before, after }: { before?: string; after?: string }) {
  const { open } = usePanel()
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
