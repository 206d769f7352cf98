'use client'
import dynamic from 'next/dynamic'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { EntityList } from '@/components/entities/entity-list'
import { useCan } from '@/components/shell/viewer'
import { Segmented } from '@/components/ui/segmented'
import { Skeleton } from '@/components/ui/state'

const EntityDiagram = dynamic(() => import('./entity-diagram').then((all) => all.EntityDiagram), {
  loading: () => <Skeleton className="min-h-96 flex-1 rounded-lg" />,
})

const TypesView = dynamic(
  () => import('@/components/model/types-view').then((all) => all.TypesView),
  {
    loading: () => <Skeleton className="h-48 rounded-lg" />,
  },
)

const VIEWS = ['list', 'diagram', 'types'] as const

/** All entities, as a list or as a diagram, and the types of their fields. */
export function EntitiesView() {
  const [view, setView] = useQueryState('view', parseAsStringLiteral(VIEWS).withDefault('list'))
  const mayReadTypes = useCan('plugins:read')
  return (
    <>
      <Segmented
        aria-label="View"
        className="self-start"
        value={view}
        onValueChange={(next) => void setView(next)}
        options={[
          { value: 'list', label: 'List' },
          { value: 'diagram', label: 'Diagram' },
          ...(mayReadTypes ? [{ value: 'types', label: 'Types' } as const] : []),
        ]}
      />
      {view === 'list' && <EntityList />}
      {view === 'diagram' && <EntityDiagram />}
      {view === 'types' && <TypesView />}
    </>
  )
}
