'use client'
import { PlusIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { useState } from 'react'
import { Page } from '@/components/shell/page'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Segmented } from '@/components/ui/segmented'
import { Skeleton } from '@/components/ui/state'
import { GUEST_ROLE } from '@/lib/auth/rights'
import { RightsView } from './rights-view'

const RolesTable = dynamic(() => import('./roles-table').then((all) => all.RolesTable), {
  loading: () => <Skeleton className="h-64 rounded-lg" />,
})

const NewRole = dynamic(() => import('./edit-role').then((all) => all.NewRole), { ssr: false })

const VIEWS = ['entities', 'roles'] as const

/** What roles may do: as a matrix of entities and roles, or role by role. */
export function RolesView() {
  const [view, setView] = useQueryState('view', parseAsStringLiteral(VIEWS).withDefault('entities'))
  const mayManage = useCan('security:manage')
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      fill
      title="Roles"
      description={
        <>
          What each role may do with the records of each entity. Policies add rights or deny them
          {mayManage && (
            <>
              , also to{' '}
              <Link
                href={`/roles/${GUEST_ROLE}`}
                className="text-primary underline underline-offset-2"
              >
                guests
              </Link>
            </>
          )}
          .
        </>
      }
      actions={
        <>
          <Segmented
            aria-label="View"
            value={view}
            onValueChange={(next) => void setView(next)}
            options={[
              { value: 'entities', label: 'By entity' },
              { value: 'roles', label: 'By role' },
            ]}
          />
          {mayManage && (
            <Button variant="primary" onClick={() => setCreating(true)}>
              <PlusIcon aria-hidden />
              New role
            </Button>
          )}
        </>
      }
    >
      {view === 'entities' ? <RightsView /> : <RolesTable />}
      {isCreating && <NewRole onClose={() => setCreating(false)} />}
    </Page>
  )
}
