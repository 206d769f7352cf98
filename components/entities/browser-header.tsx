'use client'
import { PlusIcon, TableIcon, Trash2Icon } from 'lucide-react'
import { ImportFiles } from '@/components/imports/import-files'
import { PAGE_ACTIONS } from '@/components/shell/page-actions'
import { useCan } from '@/components/shell/viewer'
import { Button, buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { ExportMenu } from './export-menu'
import { ShareView } from './share-view'
import type { View } from './view'

type Props = View & { mayWrite: boolean; mayImport: boolean; onCreate: () => void }

/** Name of the entity and what can be done with all of it. */
export function BrowserHeader({ mayWrite, mayImport, onCreate, ...view }: Props) {
  const { entity } = view
  const mayDelete = useCan({ entity, action: 'delete' })
  return (
    <div {...PAGE_ACTIONS} className="flex flex-wrap items-center gap-2">
      <h1 className="mr-auto min-w-0 truncate text-lg font-semibold tracking-tight">{entity}</h1>
      <div className="flex items-center gap-2">
        <ShareView {...view} />
        <ExportMenu {...view} />
        {mayImport && <ImportFiles entity={entity} />}
        <Link href={`/entities/${encodeURIComponent(entity)}/definition`} className={buttonClass()}>
          <TableIcon aria-hidden /> <span className="max-lg:sr-only">Definition</span>
        </Link>
        {mayDelete && (
          <Link
            href={`/trash?entity=${encodeURIComponent(entity)}`}
            aria-label={`Deleted records of ${entity}`}
            title={`Deleted records of ${entity}`}
            className={buttonClass({ size: 'icon' })}
          >
            <Trash2Icon aria-hidden />
          </Link>
        )}
        {mayWrite && (
          <Button variant="primary" onClick={onCreate}>
            <PlusIcon aria-hidden /> <span className="max-sm:sr-only">Create</span>
          </Button>
        )}
      </div>
    </div>
  )
}
