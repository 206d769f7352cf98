'use client'
import { FileUpIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useRef, useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { DropZone } from '@/components/ui/drop-zone'

const NewEntityDialog = dynamic(() => import('./new-entity-dialog'), { ssr: false })

/** Takes a file for which there is no entity yet: from a button, and dropped anywhere on the page. */
export function NewEntityFiles() {
  const mayInstall = useCan('plugins:install')
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  if (!mayInstall) return null
  return (
    <DropZone
      label="Drop a file to make an entity of it"
      onFiles={([dropped]) => dropped && !file && setFile(dropped)}
    >
      <Button onClick={() => input.current?.click()}>
        <FileUpIcon aria-hidden /> New entity from a file
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson"
        hidden
        aria-label="File of the new entity"
        onChange={(event) => {
          setFile(event.target.files?.[0] ?? null)
          event.target.value = ''
        }}
      />
      {file && <NewEntityDialog file={file} onClose={() => setFile(null)} />}
    </DropZone>
  )
}
