//! Time and memory for large and hostile inputs. These tests take minutes, so they run only with
//! `sh tests/run`, as do others whose names end with `linear_time`.

mod growth;
mod linear;
mod linear_shapes;
mod long_rows;
mod pathological;
