'use client'
import dynamic from 'next/dynamic'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { EntityList } from '@/components/entities/entity-list'
import { Segmented } from '@/components/ui/segmented'
import { Skeleton } from '@/components/ui/state'

const EntityDiagram = dynamic(() => import('./entity-diagram').then((all) => all.EntityDiagram), {
  loading: () => <Skeleton className="min-h-96 flex-1 rounded-lg" />,
})

const VIEWS = ['list', 'diagram'] as const

/** All entities, as a list or as a diagram. */
export function EntitiesView() {
  const [view, setView] = useQueryState('view', parseAsStringLiteral(VIEWS).withDefault('list'))
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
        ]}
      />
      {view === 'list' ? <EntityList /> : <EntityDiagram />}
    </>
  )
}
