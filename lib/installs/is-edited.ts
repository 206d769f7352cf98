import type { PluginManifest } from '@/lib/archives/manifests'

/** Whether an archive is a version of its plugin into which changes were made on a server, here or elsewhere: `1.2.0+local.1`. */
export const isEdited = (
  { version }: Pick<PluginManifest, 'version'>,
  isLocal: boolean | undefined,
): boolean => isLocal === true || /\+local\.\d+$/.test(version ?? '')
