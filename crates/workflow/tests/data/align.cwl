#!/usr/bin/env cwl-runner
cwlVersion: v1.2
class: Workflow
requirements: {ScatterFeatureRequirement: {}, SubworkflowFeatureRequirement: {}}
$namespaces: {prophet: "https://example.org/prophet#"}
inputs:
  reads: File[]
  reference: File
outputs:
  report: {type: File, outputSource: report/page}
steps:
  index:
    run: {class: CommandLineTool, inputs: {}, outputs: {}}
    in: {reference: reference}
    out: [index]
    hints: {"prophet:Time": {seconds: 30}}
  sample:
    in:
      reads: reads
      index: index/index
    scatter: reads
    out: [bam]
    run:
      class: Workflow
      inputs: {reads: File, index: File}
      outputs: {bam: {type: File, outputSource: sort/sorted}}
      steps:
        align:
          run:
            class: CommandLineTool
            requirements:
              - {class: ResourceRequirement, coresMin: 4, ramMin: 1024}
            inputs: {}
            outputs: {}
          in: {reads: reads, index: index}
          out: [bam]
        sort:
          run: {class: CommandLineTool, inputs: {}, outputs: {}}
          in: {bam: align/bam}
          out: [sorted]
  report:
    run: {class: CommandLineTool, inputs: {}, outputs: {}}
    in: {bams: sample/bam}
    out: [page]
