/** At least one file would be written. */
export const canInstall = (preview?: { successCount: number }): boolean =>
  (preview?.successCount ?? 0) > 0
