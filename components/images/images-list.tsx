import { ImageIcon, TagsIcon, Trash2Icon, XIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useMemo, useState } from 'react'
import { DataTable } from '@/components/data-table/data-table'
import type { Condition } from '@/components/data-table/filter/condition'
import { FilterChips } from '@/components/data-table/filter/filter-bar'
import { Pager } from '@/components/data-table/pager'
import { TableMessage } from '@/components/data-table/table-message'
import type { ListState } from '@/components/data-table/use-list-state'
import { type RowSelection, useRowSelection } from '@/components/data-table/use-row-selection'
import { useCan } from '@/components/shell/viewer'
import { Button, IconButton } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { formatCount } from '@/components/ui/number'
import { EmptyState } from '@/components/ui/state'
import type { Image } from '@/lib/images/contract'
import { imageColumns } from './image-columns'
import { GridSkeleton, ImageGrid } from './image-grid'
import type { useImages } from './image-queries'
import { IMAGE_FIELDS, imagesQuery } from './images-search'
import { ImagesToolbar } from './images-toolbar'
import type { useImageView } from './use-image-view'

const DeleteImages = dynamic(() => import('./delete-images'), { ssr: false })

type Props = {
  list: ListState
  view: ReturnType<typeof useImageView>
  response: ReturnType<typeof useImages>
  /** The button that uploads; null without the right. */
  upload: ReactNode
}

/** Images as a grid or a table, with all that narrows, orders, selects and deletes them. */
export function ImagesList({ list, view, response, upload }: Props) {
  const images = useMemo(() => response.data?.data ?? [], [response.data])
  const selection = useRowSelection(useMemo(() => images.map(idOf), [images]))
  const [deleting, setDeleting] = useState(false)
  const selecting = selection.ids.size > 0
  const [only] = selection.ids
  const shared = { list, loading: response, empty: <NoImages upload={upload} /> }
  return (
    <>
      <div className="grid *:col-start-1 *:row-start-1">
        <div
          inert={selecting}
          className={cn('flex flex-wrap items-center gap-2', selecting && 'invisible')}
        >
          <ImagesToolbar list={list} view={view.view} onView={view.setView} />
        </div>
        {selecting && (
          <ImageSelectionBar
            selection={selection}
            images={images}
            query={imagesQuery(list)}
            total={response.data?.pagination?.total ?? 0}
            onDelete={() => setDeleting(true)}
          />
        )}
      </div>
      <FilterChips fields={IMAGE_FIELDS} list={list} error={response.error} />
      {view.view === 'list' ? (
        <DataTable
          {...shared}
          label="Images"
          layoutKey="images"
          columns={imageColumns}
          rows={images}
          rowId={idOf}
          rowName={nameOf}
          selection={selection}
          onOpen={({ fileId }) => view.open(fileId)}
        />
      ) : (
        <div
          className="relative min-h-64 flex-1 overflow-auto rounded-lg border bg-card"
          aria-busy={response.isFetching}
        >
          {images.length > 0 ? (
            <ImageGrid
              images={images}
              selection={selection}
              onOpen={view.open}
              onDelete={() => !selection.allMatching && setDeleting(true)}
            />
          ) : (
            <GridSkeleton isPending={response.isPending} />
          )}
          {images.length === 0 && !response.isPending && <TableMessage {...shared} />}
        </div>
      )}
      <Pager list={list} total={response.data?.pagination?.total} shown={images.length} />
      {deleting && selecting && (
        <DeleteImages
          fileIds={[...selection.ids]}
          name={images.find(({ fileId }) => fileId === only)?.name}
          onClose={() => setDeleting(false)}
          onDeleted={(removed) =>
            selection.replace(new Set([...selection.ids].filter((id) => !removed.includes(id))))
          }
        />
      )}
    </>
  )
}

const idOf = ({ fileId }: Image) => fileId
const nameOf = ({ name }: Image) => name

const NoImages = ({ upload }: { upload: ReactNode }) => (
  <EmptyState icon={ImageIcon} title="No images yet" actions={upload}>
    {upload
      ? 'Drop or paste images here, or choose files. Programs can upload them through the API.'
      : 'Uploaded images appear here.'}
  </EmptyState>
)

const EditLabels = dynamic(() => import('./edit-labels'), { ssr: false })

type ImageSelectionBarProps = {
  selection: RowSelection
  /** Those on the page. */
  images: readonly Image[]
  /** The conditions of the list, and how many images match them. */
  query: readonly Condition[]
  total: number
  onDelete: () => void
}

/** Actions on the selected images; in place of the toolbar, so that nothing moves. */
function ImageSelectionBar({ selection, images, query, total, onDelete }: ImageSelectionBarProps) {
  const { ids, allMatching, clear } = selection
  const [editing, setEditing] = useState(false)
  const mayLabel = useCan('images:upload')
  const mayDelete = useCan('images:delete')
  const count = allMatching ? total : ids.size
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2 self-start rounded-md bg-primary-soft/60 pl-2.5 text-[13px]">
      <p aria-live="polite">
        <strong className="font-medium">{formatCount(count)}</strong> selected
        {allMatching && ', on every page'}
      </p>
      <SelectMore selection={selection} shown={images.length} total={mayLabel ? total : 0} />
      <span className="ml-auto" />
      {mayLabel && (
        <Button size="sm" onClick={() => setEditing(true)}>
          <TagsIcon aria-hidden /> Edit labels
        </Button>
      )}
      {mayDelete && !allMatching && (
        <Button size="sm" variant="destructive-outline" onClick={onDelete}>
          <Trash2Icon aria-hidden /> Delete
        </Button>
      )}
      <IconButton icon={XIcon} label="Clear the selection" onClick={clear} />
      {editing && (
        <EditLabels
          selection={allMatching ? { query } : { ids: [...ids] }}
          count={count}
          images={images.filter(({ fileId }) => selection.has(fileId))}
          onClose={() => setEditing(false)}
          onEdited={clear}
        />
      )}
    </div>
  )
}

type MoreProps = { selection: RowSelection; shown: number; total: number }

/** The page first, then what is on other pages. */
function SelectMore({ selection, shown, total }: MoreProps) {
  const { ids, allMatching, togglePage, selectAllMatching } = selection
  if (allMatching) return null
  if (ids.size < shown)
    return (
      <Button size="sm" variant="ghost" onClick={togglePage}>
        Select all {formatCount(shown)}
        <span className="max-sm:sr-only"> on this page</span>
      </Button>
    )
  if (total <= ids.size) return null
  return (
    <Button size="sm" variant="ghost" onClick={selectAllMatching}>
      Select all {formatCount(total)}
      <span className="max-sm:sr-only"> matching</span>
    </Button>
  )
}
