import type { Env } from '@/lib/env'
import type { Log } from '@/lib/log'
import { recorder, setRecorder } from './tracing'

/**
 * Exports spans by OTLP over HTTP when `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Nothing of OpenTelemetry is loaded
 * otherwise. An exporter that does not respond loses spans and delays nothing.
 */
export async function startTracing(
  settings: Pick<Env, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME'>,
  log: Log,
): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: service } = settings
  if (!endpoint || recorder()) return
  const { createRecorder } = await import('./create-recorder')
  setRecorder(createRecorder(endpoint, service))
  log.info({ endpoint: new URL(endpoint).host }, 'spans are exported')
}

/** Sends what is left and stops. */
export async function stopTracing(): Promise<void> {
  const present = recorder()
  setRecorder(undefined)
  await present?.flush().catch(() => {})
}
