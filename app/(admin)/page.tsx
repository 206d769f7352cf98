import { cookies } from 'next/headers'
import { Prefetched, prefetchOne, prefetchSearch } from '@/app/(admin)/prefetch'
import { GET as getHealth } from '@/app/api/health/ready/route'
import {
  ACTIVITY,
  ATTENTION,
  HEALTH_KEY,
  IMAGES_COUNT,
  PLUGINS_COUNT,
  USERS_COUNT,
} from '@/components/dashboard/dashboard-searches'
import { DashboardView } from '@/components/dashboard/dashboard-view'
import { FIRST_STEPS_COOKIE, KEYS_COUNT } from '@/components/dashboard/steps'
import { Page } from '@/components/shell/page'
import { pageContext } from '@/lib/http/page'

export const metadata = { title: 'Dashboard' }

export default async function DashboardPage() {
  await pageContext('signed-in')
  const isNew = (await cookies()).get(FIRST_STEPS_COOKIE) === undefined
  return (
    <Prefetched of={await fetchAll()}>
      <Page title="Dashboard">
        <DashboardView isNew={isNew} />
      </Page>
    </Prefetched>
  )
}

/** Everything the page shows first; null for what the visitor has no access to. */
const fetchAll = () =>
  Promise.all([
    ...Object.values(ATTENTION).map(({ entity, search }) => prefetchSearch(entity, search)),
    prefetchSearch('EngineAuditLog', ACTIVITY),
    prefetchSearch('EnginePlugins', PLUGINS_COUNT),
    prefetchSearch('EngineUsers', USERS_COUNT),
    prefetchSearch('EngineFiles', IMAGES_COUNT),
    prefetchSearch('EngineApiKeys', KEYS_COUNT),
    prefetchOne(HEALTH_KEY, getHealth, { path: '/api/health/ready' }),
  ])
