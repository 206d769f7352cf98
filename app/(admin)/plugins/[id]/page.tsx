import type { Metadata } from 'next'
import { PluginDetail } from '@/components/plugins/plugin-detail'
import { pageContext } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Plugin' }

export default async function PluginPage({ params }: PageProps<'/plugins/[id]'>) {
  await pageContext('plugins:read')
  return <PluginDetail id={decodeURIComponent((await params).id)} />
}
