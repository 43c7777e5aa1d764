{{- define "stockroom.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "stockroom.selector" -}}
app.kubernetes.io/name: stockroom
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "stockroom.labels" -}}
{{ include "stockroom.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "stockroom.secret" -}}
{{- .Values.secret.existing | default (include "stockroom.name" .) -}}
{{- end -}}
