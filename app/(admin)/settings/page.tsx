import { RequiredRolesCard } from '@/components/second-factors/required-roles-card'
import { BackupCard } from '@/components/settings/backup-card'
import { ChecksCard } from '@/components/settings/checks-card'
import { PublishersCard } from '@/components/settings/publishers-card'
import { RetentionCard } from '@/components/settings/retention-card'
import { ScimCard } from '@/components/settings/scim-card'
import { ServersLink } from '@/components/settings/servers-link'
import { SettingsView } from '@/components/settings/settings-view'
import { TestMail } from '@/components/settings/test-mail'
import { TestProviders } from '@/components/settings/test-providers'
import { Page } from '@/components/shell/page'
import { appUrl } from '@/lib/auth/app-url'
import { can } from '@/lib/auth/rights'
import { pageContext } from '@/lib/http/page'
import { findToken } from '@/lib/scim/change-token'
import { listRequiredRoles } from '@/lib/second-factors/required-roles'
import { countOutdated } from '@/lib/secrets/encrypt-again'
import { describeSettings } from '@/lib/settings/describe-settings'

export const metadata = { title: 'Settings' }

export default async function SettingsPage() {
  const { deps, actor } = await pageContext('system:read')
  const providers = deps.settings.OIDC.map(({ name, label }) => ({ name, label }))
  return (
    <Page
      width="narrow"
      title="Settings"
      description="The configuration of this server. Except for the second factor, SCIM, publishers and other servers, settings are environment variables: change them and restart the server."
    >
      <ChecksCard />
      {can(actor, 'security:manage') && (
        <RequiredRolesCard roles={await listRequiredRoles(deps.db)} />
      )}
      {can(actor, 'security:manage') && (
        <ScimCard
          token={await findToken(deps.db)}
          address={`${appUrl(deps.settings)}/api/scim/v2`}
        />
      )}
      {can(actor, 'security:manage') && <PublishersCard />}
      {can(actor, 'security:manage') && <ServersLink />}
      {can(actor, 'security:manage') && <BackupCard />}
      <RetentionCard />
      <SettingsView
        groups={describeSettings(deps.settings, {
          replicas: deps.replicas?.states(),
          outdated: await countOutdated(deps),
        })}
        below={{
          ...(can(actor, 'mail:manage') && { Mail: <TestMail email={actor.name} /> }),
          ...(can(actor, 'security:manage') &&
            providers.length > 0 && { 'Sign-in': <TestProviders providers={providers} /> }),
        }}
      />
    </Page>
  )
}
