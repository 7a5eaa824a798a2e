cwlVersion: v1.2
class: Workflow
inputs: {a: 'File[]'}
outputs: []
steps:
  s:
    run: {class: CommandLineTool}
    in: {x: a, y: a, z: a}
    scatter: [x, y, z]
    scatterMethod: flat_crossproduct
    out: []
