'use client'
import { ImageIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useMemo, useState } from 'react'
import { DataTable } from '@/components/data-table/data-table'
import { FilterChips } from '@/components/data-table/filter/filter-bar'
import { Pager } from '@/components/data-table/pager'
import { TableMessage } from '@/components/data-table/table-message'
import type { ListState } from '@/components/data-table/use-list-state'
import { useRowSelection } from '@/components/data-table/use-row-selection'
import { cn } from '@/components/ui/cn'
import { EmptyState } from '@/components/ui/state'
import type { Image } from '@/lib/images/contract'
import { imageColumns } from './image-columns'
import { GridSkeleton, ImageGrid } from './image-grid'
import type { useImages } from './image-queries'
import { ImageSelectionBar } from './image-selection-bar'
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
          onDeleted={(gone) =>
            selection.replace(new Set([...selection.ids].filter((id) => !gone.includes(id))))
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
