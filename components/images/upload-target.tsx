'use client'
import { useId } from 'react'
import { Button } from '@/components/ui/button'
import { FormField } from '@/components/ui/form-field'
import { NameInput } from '@/components/ui/name-input'
import { TagInput } from '@/components/ui/tag-input'
import type { ImageFacets } from '@/lib/images/contract'
import { ContextEditor } from './context-editor'
import type { Pair } from './context-pairs'
import { uploadQueue } from './upload-queue'

type Props = {
  facets: ImageFacets | undefined
  folder: string
  tags: string[]
  pairs: Pair[]
  onFolder: (folder: string) => void
  onTags: (tags: string[]) => void
  onPairs: (pairs: Pair[]) => void
}

/** The folder, tags and context of all images of an upload. */
export function UploadTarget(props: Props) {
  const { facets, folder, tags, pairs, onFolder, onTags, onPairs } = props
  const folders = useId()
  return (
    <form className="grid gap-4 border-b p-4" onSubmit={(event) => event.preventDefault()}>
      <FormField label="Folder" hint="The namespace, with / between its levels. Optional.">
        <NameInput
          value={folder}
          onValueChange={onFolder}
          list={folders}
          placeholder="shop/shoes"
          autoComplete="off"
          spellCheck={false}
        />
      </FormField>
      <datalist id={folders}>
        {facets?.folders
          .filter(({ value }) => value)
          .map(({ value }) => (
            <option key={value} value={value} />
          ))}
      </datalist>
      <div className="grid gap-1.5">
        <span className="text-[13px] font-medium">Tags</span>
        <TagInput
          aria-label="Tags"
          value={tags}
          onValueChange={onTags}
          suggestions={facets?.tags.map(({ value }) => value)}
          placeholder="Type a tag and press Enter"
        />
      </div>
      <ContextEditor pairs={pairs} onChange={onPairs} />
      <div className="flex flex-wrap items-center gap-2 text-xs text-muted-foreground">
        <p className="min-w-0 flex-1 basis-56">
          Before an image of the same folder and asset ID is replaced, you are asked.
        </p>
        <Button size="sm" onClick={() => uploadQueue.nameBy(({ file }) => stemOf(file.name))}>
          Use file names as IDs
        </Button>
      </div>
    </form>
  )
}

const stemOf = (name: string) => name.replace(/\.[^.]+$/, '')
