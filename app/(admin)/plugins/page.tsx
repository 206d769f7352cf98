import type { Metadata } from 'next'
import { PluginsView } from '@/components/plugins/plugins-view'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Plugins' }

export default async function PluginsPage() {
  await pageContext('plugins:read')
  return <PluginsView />
}
