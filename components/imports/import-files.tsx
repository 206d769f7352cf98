'use client'
import { FileUpIcon } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useRef } from 'react'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { DropZone } from '@/components/ui/drop-zone'

/** The id of the import that is shown, in the address of the page. */
export const useShownImport = () =>
  useQueryState('import', parseAsString.withOptions({ history: 'push', scroll: false }))

/** Takes a file for the entity: from a button, and dropped anywhere on the page. */
export function ImportFiles({ entity }: { entity: string }) {
  const [shown, show] = useShownImport()
  const input = useRef<HTMLInputElement>(null)
  const mode = useCan({ entity, action: 'write' }) ? 'create' : 'update'
  const take = async (file: File | undefined) => {
    if (!file) return
    const { addFile, leaveItem } = await import('./import-queue')
    const id = addFile(entity, file, mode)
    if (shown) leaveItem(shown)
    await show(id, { history: shown ? 'replace' : 'push' })
  }
  return (
    <DropZone
      label={`Drop a file to import it into ${entity}`}
      onFiles={([file]) => void take(file)}
    >
      <Button onClick={() => input.current?.click()}>
        <FileUpIcon aria-hidden /> <span className="max-sm:sr-only">Import</span>
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson"
        hidden
        aria-label="File to import"
        onChange={(event) => {
          void take(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </DropZone>
  )
}
