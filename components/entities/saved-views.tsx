'use client'
import { useQuery } from '@tanstack/react-query'
import { BookmarkIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Menu } from '@/components/ui/menu'
import type { SavedView } from '@/lib/views/contract'
import type { View } from './view'
import { isChanged, viewsOptions } from './view-queries'
import { ViewsMenu } from './views-menu'

const SaveView = dynamic(() => import('./save-view'), { ssr: false })
const ManageViews = dynamic(() => import('./manage-views'), { ssr: false })

export type OpenedDialog = 'save' | 'manage' | { edit: SavedView } | null

/** Saved views of the entity: the user's own and shared ones. The button names the one that is shown. */
export function SavedViews({ entity, list }: Pick<View, 'entity' | 'list'>) {
  const [opened, setOpened] = useState<OpenedDialog>(null)
  const views = useQuery(viewsOptions(entity)).data?.data ?? []
  const active = views.find(({ id }) => id === list.savedView)
  const changed = active !== undefined && isChanged(list, active)
  return (
    <>
      <Menu
        trigger={
          <Button size="sm">
            <BookmarkIcon aria-hidden className={active ? 'text-primary' : undefined} />
            {active ? (
              <span className="max-w-40 truncate max-sm:max-w-20">{active.name}</span>
            ) : (
              <span className="max-sm:sr-only">Views</span>
            )}
            {changed && <span className="text-muted-foreground">· changed</span>}
          </Button>
        }
      >
        <ViewsMenu {...{ entity, list, views, active, changed }} onOpen={setOpened} />
      </Menu>
      {opened === 'save' && (
        <SaveView entity={entity} list={list} onClose={() => setOpened(null)} />
      )}
      {opened === 'manage' && (
        <ManageViews
          entity={entity}
          views={views}
          onEdit={(view) => setOpened({ edit: view })}
          onClose={() => setOpened(null)}
        />
      )}
      {opened !== null && typeof opened === 'object' && (
        <SaveView
          entity={entity}
          list={list}
          view={opened.edit}
          onClose={() => setOpened('manage')}
        />
      )}
    </>
  )
}
