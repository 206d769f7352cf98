'use client'
import { useMutation } from '@tanstack/react-query'
import { DownloadIcon } from 'lucide-react'
import { Button, buttonClass } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import type { Import } from '@/lib/import/contract'
import { checkImport } from './check-import'
import { ChooseFile } from './choose-file'
import { useTakeFile } from './import-files'
import { type ImportItem, needsOtherFile, recordsOf } from './import-item'
import { cancelImport } from './import-queue'
import { refusedHref } from './import-requests'
import { runImport } from './run-import'

type Props = { item: ImportItem; onClose: () => void }

/** What can be done next; the main button is the last. */
export function ImportActions({ item, onClose }: Props) {
  const { id, state, check, result } = item
  if (state === 'sending' || state === 'running')
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
          {records === 0 ? 'Import' : `Import ${countOf(records, 'record')}`}
        </Button>
      )}
    </>
  )
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
