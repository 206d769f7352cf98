import type { Metadata } from 'next'
import { Page } from '@/components/shell/page'

export const metadata: Metadata = { title: 'Dashboard' }

export default function DashboardPage() {
  return <Page title="Dashboard">{null}</Page>
}
