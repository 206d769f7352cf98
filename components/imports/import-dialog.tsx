'use client'
import { useEffect, useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import { ErrorState } from '@/components/ui/state'
import { messageOf } from '@/lib/errors'
import { formatBytes } from '@/lib/values/format-bytes'
import { ImportActions } from './import-actions'
import { ImportBody } from './import-body'
import { useShownImport } from './import-files'
import type { ImportItem } from './import-item'
import { useItem } from './import-items'
import { leaveItem, restoreItem } from './import-queue'

type Props = { entity: string; id: string }

/** What becomes of a file: its columns, the dry run, the import and its result. */
export default function ImportDialog({ entity, id }: Props) {
  const [, show] = useShownImport()
  const item = useItem(id)
  const failure = useRestored(id)
  const importId = item?.result?.id
  useEffect(() => {
    if (importId && importId !== id) void show(importId, { history: 'replace' })
  }, [importId, id, show])
  const close = () => {
    leaveItem(id)
    void show(null)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      size="lg"
      stays={item?.state === 'checked'}
      title={`Import into ${item?.entity ?? entity}`}
      description={item && factsOf(item)}
      footer={item && <ImportActions item={item} onClose={close} />}
      isText={item?.state === 'over'}
    >
      {item ? (
        <ImportBody item={item} />
      ) : failure ? (
        <ErrorState
          title="This import is not here"
          error={{ message: `${failure} Choose the file again.` }}
        />
      ) : (
        <Skeleton className="h-40" />
      )}
    </Dialog>
  )
}

const factsOf = ({ name, size, preview, check, result }: ImportItem): string =>
  [name, formatBytes(size), FORMATS[(result ?? check ?? preview)?.format ?? 'none']]
    .filter(Boolean)
    .join(' · ')

const FORMATS = { csv: 'CSV', xlsx: 'XLSX', json: 'JSON', jsonl: 'JSON Lines', none: '' }

/** Why an import of before a reload, or of elsewhere, can't be shown. */
function useRestored(id: string): string | null {
  const [failure, setFailure] = useState<{ id: string; message: string } | null>(null)
  useEffect(() => {
    restoreItem(id).catch((error) => setFailure({ id, message: messageOf(error) }))
  }, [id])
  return failure?.id === id ? failure.message : null
}
