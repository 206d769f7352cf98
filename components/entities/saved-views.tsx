'use client'
import { useQuery } from '@tanstack/react-query'
import { BookmarkIcon, PlusIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '@/components/ui/menu'
import type { SavedView } from '@/lib/views/contract'
import type { View } from './view'
import { applyView, viewsOptions } from './view-queries'

const SaveView = dynamic(() => import('./save-view'), { ssr: false })
const ManageViews = dynamic(() => import('./manage-views'), { ssr: false })

type Opened = 'save' | 'manage' | null

/** Saved views of the entity: the user's own and shared ones. */
export function SavedViews({ entity, list }: Pick<View, 'entity' | 'list'>) {
  const [opened, setOpened] = useState<Opened>(null)
  const views = useQuery(viewsOptions(entity)).data?.data ?? []
  return (
    <>
      <Menu
        trigger={
          <Button size="sm">
            <BookmarkIcon aria-hidden />
            <span className="max-sm:sr-only">Views</span>
          </Button>
        }
      >
        <Group
          title="Mine"
          views={views.filter(({ mine }) => mine)}
          onChoose={(view) => applyView(list, view)}
        />
        <Group
          title="Shared"
          views={views.filter(({ mine }) => !mine)}
          onChoose={(view) => applyView(list, view)}
        />
        {views.length > 0 && <MenuSeparator />}
        <MenuItem onClick={() => setOpened('save')}>
          <PlusIcon aria-hidden /> Save this view
        </MenuItem>
        {views.length > 0 && <MenuItem onClick={() => setOpened('manage')}>Manage views</MenuItem>}
      </Menu>
      {opened === 'save' && (
        <SaveView entity={entity} list={list} onClose={() => setOpened(null)} />
      )}
      {opened === 'manage' && (
        <ManageViews entity={entity} views={views} onClose={() => setOpened(null)} />
      )}
    </>
  )
}

type GroupProps = { title: string; views: SavedView[]; onChoose: (view: SavedView) => void }

function Group({ title, views, onChoose }: GroupProps) {
  if (views.length === 0) return null
  return (
    <>
      <MenuHeading>{title}</MenuHeading>
      {views.map((view) => (
        <MenuItem key={view.id} onClick={() => onChoose(view)}>
          <span className="truncate">{view.name}</span>
          {view.mine && view.shared && (
            <span className="ml-auto text-xs text-muted-foreground">shared</span>
          )}
        </MenuItem>
      ))}
    </>
  )
}
