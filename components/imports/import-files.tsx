import { FileUpIcon } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useCan } from '@/components/shell/viewer'
import { DropZone } from '@/components/ui/drop-zone'
import { ChooseFile } from './choose-file'

/** The id of the import that is shown, in the address of the page. */
export const useShownImport = () =>
  useQueryState('import', parseAsString.withOptions({ history: 'push', scroll: false }))

/** Begins the import of a file into the entity and shows it, in place of the one that is shown. */
export function useTakeFile(entity: string) {
  const [shown, show] = useShownImport()
  const mode = useCan({ entity, action: 'write' }) ? null : 'update'
  return async (file: File) => {
    const { addFile, leaveItem } = await import('./import-queue')
    const id = addFile(entity, file, { mode })
    if (shown) leaveItem(shown)
    await show(id, { history: shown ? 'replace' : 'push' })
  }
}

/** Takes a file for the entity: from a button, and dropped anywhere on the page. */
export function ImportFiles({ entity }: { entity: string }) {
  const take = useTakeFile(entity)
  return (
    <DropZone
      label={`Drop a file to import it into ${entity}`}
      onFiles={([file]) => file && void take(file)}
    >
      <ChooseFile onFile={(file) => void take(file)}>
        <FileUpIcon aria-hidden /> Import
      </ChooseFile>
    </DropZone>
  )
}
