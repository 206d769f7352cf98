import type { Metadata } from 'next'
import { SettingsView } from '@/components/settings/settings-view'
import { Page } from '@/components/shell/page'
import { pageContext } from '@/lib/http/page'
import { describeSettings } from '@/lib/settings/describe-settings'

export const metadata: Metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const { deps } = await pageContext('system:read')
  return (
    <Page
      width="narrow"
      title="Settings"
      description="The configuration of this server. Settings are environment variables: change them and restart the server."
    >
      <SettingsView groups={describeSettings(deps.settings, deps.replicas?.states())} />
    </Page>
  )
}
