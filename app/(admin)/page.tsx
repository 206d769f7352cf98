import type { Metadata } from 'next'
import { DashboardView } from '@/components/dashboard/dashboard-view'
import { Page } from '@/components/shell/page'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Dashboard' }

export default async function DashboardPage() {
  await pageContext('signed-in')
  return (
    <Page title="Dashboard">
      <DashboardView />
    </Page>
  )
}
