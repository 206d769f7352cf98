import { useMutation } from '@tanstack/react-query'
import { DownloadIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, buttonClass } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { countOf } from '@/components/ui/number'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { messageOf } from '@/lib/errors'
import type { Import } from '@/lib/import/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { checkImport } from './check-import'
import { ChooseFile } from './choose-file'
import { ImportBody } from './import-body'
import { useShownImport, useTakeFile } from './import-files'
import { choiceOf, type ImportItem, needsOtherFile, recordsOf } from './import-item'
import { useItem } from './import-items'
import { cancelImport, leaveItem, restoreItem, runImport } from './import-queue'
import { refusedHref } from './import-requests'
import { UndoImport } from './undo-import'

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
      onClose={close}
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

type ImportActionsProps = { item: ImportItem; onClose: () => void }

/** What can be done next; the main button is the last. */
function ImportActions({ item, onClose }: ImportActionsProps) {
  const { id, state, check, result } = item
  if (item.isConfirmed || state === 'sending' || state === 'running')
    return (
      <>
        <CancelImport id={id} />
        {state === 'running' && <Button onClick={onClose}>Continue in the background</Button>}
      </>
    )
  if (state === 'over')
    return (
      <>
        {result && <RefusedRows of={result} />}
        {result && <UndoImport of={result} onUndone={onClose} />}
        <Button onClick={onClose}>Close</Button>
      </>
    )
  const records = check && state === 'checked' ? recordsOf(check) : 0
  return (
    <>
      {check && state === 'checked' && <RefusedRows of={check} />}
      <Button onClick={onClose}>Cancel</Button>
      {needsOtherFile(item) ? (
        <OtherFile entity={item.entity} />
      ) : state === 'stopped' ? (
        <Button variant="primary" onClick={() => void checkImport(id)}>
          Check again
        </Button>
      ) : (
        <Button
          variant="primary"
          disabled={records === 0 || check?.status !== 'DONE'}
          onClick={() => void runImport(id)}
        >
          {labelOf(item, records)}
        </Button>
      )}
    </>
  )
}

function labelOf(item: ImportItem, records: number): string {
  const verb = choiceOf(item).mode === 'update' ? 'Update' : 'Import'
  return records === 0 ? verb : `${verb} ${countOf(records, 'record')}`
}

const RefusedRows = ({ of: { id, refusedRows } }: { of: Import }) =>
  refusedRows > 0 && (
    <a href={refusedHref(id)} download className={buttonClass({}, 'sm:mr-auto')}>
      <DownloadIcon aria-hidden /> {countOf(refusedRows, 'refused row')}
    </a>
  )

function OtherFile({ entity }: { entity: string }) {
  const take = useTakeFile(entity)
  return (
    <ChooseFile variant="primary" onFile={(file) => void take(file)}>
      Choose another file
    </ChooseFile>
  )
}

function CancelImport({ id }: { id: string }) {
  const stop = useMutation({ mutationFn: () => cancelImport(id) })
  return (
    <>
      {stop.error && (
        <p role="alert" className="mr-auto self-center text-[13px] text-destructive">
          {stop.error.message}
        </p>
      )}
      <Button busy={stop.isPending} onClick={() => stop.mutate()}>
        Cancel the import
      </Button>
    </>
  )
}
