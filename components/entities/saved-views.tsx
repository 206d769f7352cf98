import { useQuery } from '@tanstack/react-query'
import { BookmarkIcon, CheckIcon, PlusIcon, StarIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Menu, MenuHeading, MenuItem, MenuSeparator } from '@/components/ui/menu'
import type { SavedView } from '@/lib/views/contract'
import { isChanged, paramsOf, type View, viewsOptions } from './view-queries'

const loadChanged = () => import('./changed-view')
const ChangedView = dynamic(loadChanged, { ssr: false })
const SaveView = dynamic(() => import('./save-view'), { ssr: false })
const ManageViews = dynamic(() => import('./manage-views'), { ssr: false })

type OpenedDialog = 'save' | 'manage' | { edit: SavedView } | null

/** Saved views of the entity: the user's own and shared ones. The button names the one that is shown. */
export function SavedViews({ entity, list }: Pick<View, 'entity' | 'list'>) {
  const [opened, setOpened] = useState<OpenedDialog>(null)
  const views = useQuery(viewsOptions(entity)).data?.data ?? []
  const active = views.find(({ id }) => id === list.savedView)
  const changed = active !== undefined && isChanged(list, active)
  // Before the menu opens, so that nothing in it moves.
  useEffect(() => {
    if (changed) void loadChanged()
  }, [changed])
  return (
    <>
      <Menu
        trigger={
          <Button size="sm">
            <BookmarkIcon aria-hidden className={active ? 'text-primary' : undefined} />
            {active ? (
              <span className="max-w-40 truncate max-sm:max-w-20">{active.name}</span>
            ) : (
              'Views'
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

type Props = Pick<View, 'entity' | 'list'> & {
  views: readonly SavedView[]
  active?: SavedView
  changed: boolean
  onOpen: (dialog: OpenedDialog) => void
}

/** What can be done with the view that is shown, and the others. */
function ViewsMenu({ entity, list, views, active, changed, onOpen }: Props) {
  const choose = (view: SavedView) => list.replace(paramsOf(view))
  const groups = { views, active, onChoose: choose }
  return (
    <>
      {active && changed && <ChangedView entity={entity} list={list} view={active} />}
      {views.length > 0 && (
        <MenuItem onClick={() => list.replace({})}>
          <Mark on={!active} /> All records
        </MenuItem>
      )}
      <Group {...groups} title="Mine" of={({ mine }) => mine} />
      <Group {...groups} title="Shared" of={({ mine }) => !mine} />
      {views.length > 0 && <MenuSeparator />}
      <MenuItem onClick={() => onOpen('save')}>
        <PlusIcon aria-hidden /> Save as a new view
      </MenuItem>
      {views.length > 0 && <MenuItem onClick={() => onOpen('manage')}>Manage views</MenuItem>}
    </>
  )
}

type GroupProps = {
  title: string
  views: readonly SavedView[]
  of: (view: SavedView) => boolean
  active?: SavedView
  onChoose: (view: SavedView) => void
}

function Group({ title, views, of, active, onChoose }: GroupProps) {
  const shown = views.filter(of)
  if (shown.length === 0) return null
  return (
    <>
      <MenuHeading>{title}</MenuHeading>
      {shown.map((view) => (
        <MenuItem key={view.id} onClick={() => onChoose(view)}>
          <Mark on={view.id === active?.id} />
          <span className="truncate">{view.name}</span>
          {view.mine && view.visibility !== 'private' && (
            <span className="ml-auto text-xs text-muted-foreground">{view.role ?? 'shared'}</span>
          )}
          {view.opens && (
            <>
              <StarIcon aria-hidden className="ml-auto size-3.5" />
              <span className="sr-only">default</span>
            </>
          )}
        </MenuItem>
      ))}
    </>
  )
}

const Mark = ({ on }: { on: boolean }) => (
  <>
    <CheckIcon aria-hidden className={on ? undefined : 'invisible'} />
    {on && <span className="sr-only">Shown: </span>}
  </>
)
