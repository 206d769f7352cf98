'use client'
import { FileUpIcon, PlusIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { ChooseFile } from '@/components/imports/choose-file'
import { useCan } from '@/components/shell/viewer'
import { buttonClass } from '@/components/ui/button'
import { DropZone } from '@/components/ui/drop-zone'
import { Link } from '@/components/ui/link'

const NewEntityDialog = dynamic(() => import('./new-entity-dialog'), { ssr: false })

/** Takes a file for which there is no entity yet: from a button, dropped anywhere on the page, or pasted into it. */
export function NewEntityFiles() {
  const mayInstall = useCan('plugins:install')
  const [file, setFile] = useState<File | null>(null)
  if (!mayInstall) return null
  return (
    <DropZone
      label="Drop a file to make an entity of it"
      onFiles={([dropped]) => dropped && !file && setFile(dropped)}
    >
      <ChooseFile label="File of the new entity" onFile={setFile}>
        <FileUpIcon aria-hidden /> New entity from a file
      </ChooseFile>
      <Link href="/new-entity" className={buttonClass()}>
        <PlusIcon aria-hidden /> New entity
      </Link>
      {file && <NewEntityDialog file={file} onClose={() => setFile(null)} />}
    </DropZone>
  )
}
