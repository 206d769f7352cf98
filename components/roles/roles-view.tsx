'use client'
import dynamic from 'next/dynamic'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { Page } from '@/components/shell/page'
import { Segmented } from '@/components/ui/segmented'
import { Skeleton } from '@/components/ui/state'
import { RightsView } from './rights-view'

const RolesTable = dynamic(() => import('./roles-table').then((all) => all.RolesTable), {
  loading: () => <Skeleton className="h-64 rounded-lg" />,
})

const VIEWS = ['entities', 'roles'] as const

/** What roles may do: as a matrix of entities and roles, or role by role. */
export function RolesView() {
  const [view, setView] = useQueryState('view', parseAsStringLiteral(VIEWS).withDefault('entities'))
  return (
    <Page
      fill
      title="Roles"
      description="What each role may do with the records of each entity. Policies of plugins add rights or deny them."
      actions={
        <Segmented
          aria-label="View"
          value={view}
          onValueChange={(next) => void setView(next)}
          options={[
            { value: 'entities', label: 'By entity' },
            { value: 'roles', label: 'By role' },
          ]}
        />
      }
    >
      {view === 'entities' ? <RightsView /> : <RolesTable />}
    </Page>
  )
}
