import { Input } from '@base-ui/react/input'
import { useMemo, useState } from 'react'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'
import { Skeleton } from '@/components/ui/state'
import type { Facet } from '@/lib/images/contract'
import { foldersWith, folderTree, pathsAbove, rowsOf } from './folder-tree'
import { FolderTreeRows } from './folder-tree-rows'

type Props = {
  /** Undefined while they are being fetched. */
  facets: readonly Facet[] | undefined
  error: Error | null
  chosen: string | null
  onChoose: (folder: string | null) => void
}

/** The server names no more than so many. */
const MAX_FACETS = 500

/** The folders there are, as a tree, found by typing. A folder stands for all below it, too. */
export default function FolderList({ facets, error, chosen, onChoose }: Props) {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set(pathsAbove(chosen ?? '')))
  const tree = useMemo(() => folderTree(facets ?? []), [facets])
  const found = foldersWith(tree, text)
  const isFiltered = text.trim() !== ''
  const rows = rowsOf(found, (path) => isFiltered || opened.has(path))
  const without = facets?.find(({ value }) => value === '')?.count ?? 0
  const choose = (folder: string) => onChoose(folder === chosen ? null : folder)
  // The first one that has the text itself, not a parent that leads to it.
  const [best] = foldersNamed(rows, text)
  if (error) return <p className="p-3 text-destructive">{error.message}</p>
  if (!facets) return <Skeleton className="m-2 h-4 w-2/3" />
  return (
    <div className="grid" data-folders>
      <Input
        autoFocus
        aria-label="Find a folder"
        placeholder="Find a folder"
        autoComplete="off"
        value={text}
        className="mb-1 h-8 w-full border-b bg-transparent px-2 text-control outline-none placeholder:text-muted-foreground"
        onValueChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && best !== undefined) choose(best)
          else if (event.key === 'ArrowDown') focusTree(event.currentTarget)
          else return
          event.preventDefault()
        }}
      />
      {!isFiltered && (chosen !== null || without > 0) && (
        <div className="mb-1 flex flex-wrap gap-1 border-b pb-1">
          {chosen !== null && (
            <Button size="sm" variant="ghost" onClick={() => onChoose(null)}>
              Any folder
            </Button>
          )}
          {without > 0 && (
            <Button
              size="sm"
              variant="ghost"
              aria-pressed={chosen === ''}
              onClick={() => choose('')}
            >
              No folder
              <span className="tabular text-xs text-muted-foreground">{formatCount(without)}</span>
            </Button>
          )}
        </div>
      )}
      {rows.length > 0 ? (
        <FolderTreeRows
          {...{ rows, chosen }}
          isOpen={(path) => isFiltered || opened.has(path)}
          onOpen={(path, open) => {
            const next = new Set(opened)
            open ? next.add(path) : next.delete(path)
            setOpened(next)
          }}
          onChoose={choose}
        />
      ) : (
        <p className="px-2 py-4 text-center text-[13px] text-muted-foreground">
          {tree.length === 0 ? 'No folders yet' : 'No matches'}
        </p>
      )}
      {facets.length >= MAX_FACETS && (
        <p className="px-2 pt-1 text-xs text-muted-foreground">
          Only the {MAX_FACETS} folders with the most images are listed and counted.
        </p>
      )}
    </div>
  )
}

const foldersNamed = (rows: ReturnType<typeof rowsOf>, text: string): string[] =>
  rows
    .map(({ folder }) => folder.path)
    .filter((path) => path.toLowerCase().includes(text.trim().toLowerCase()))

const focusTree = (input: HTMLElement) =>
  input
    .closest('[data-folders]')
    ?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')
    ?.focus()
