//! `convo-site deploy`: checks a built site and publishes it.

mod branch;
mod target;
mod tools;

use std::path::Path;
use std::time::Instant;

use self::branch::Branch;
use self::target::Target;
use self::tools::{Runner, Tool};
use super::args::DeployArgs;
use super::{Failure, Outcome, build, check, report};
use crate::diag::emit::visible;
use crate::disk::{
    self, DEPLOY_FOLDER, Destination, LIST_NAME, OutputState, State, TransferPlan, Transferred,
};
use crate::text::{grouped, plural};

pub(super) fn run(args: &DeployArgs) -> Result<Outcome, Failure> {
    let target = Target::parse(&args.to)?;
    // Fail early if the program is missing, before the check.
    if let Target::Tool(tool, _) = &target
        && !args.dry_run
    {
        tool.require()?;
    }
    if args.keep_history && !matches!(target, Target::Branch(_)) {
        let message = "`--keep-history` requires `--to git:BRANCH`".to_owned();
        return Err(Failure::Usage(message));
    }
    let branch = match &target {
        Target::Branch(name) => Some(Branch::find(&args.site.site, name)?),
        Target::Folder(_) | Target::Tool(..) => None,
    };
    let (outcome, config) = check::gate(&args.site, true, args.output.as_ref())?;
    if outcome != Outcome::Fine {
        report::summary("nothing was deployed");
        return Ok(outcome);
    }
    let site = &args.site.site;
    let out = Destination::new(site, args.output.clone());
    // Prevents builds during the deploy.
    let cache = args.site.cache.folder(site);
    let state = State::open(&cache, &|holder| report::waiting(holder))?;
    let nothing = || Failure::Usage("the output folder no longer exists".to_owned());
    let output_state = OutputState::of(&out)?.ok_or_else(nothing)?;
    let started = Instant::now();
    match target {
        Target::Branch(_) => {
            let lists = state.folder_for(DEPLOY_FOLDER)?;
            state.empty(DEPLOY_FOLDER)?;
            let (keeps, is_dry) = (args.keep_history, args.dry_run);
            let push =
                |branch: Branch<'_>| branch.push(&output_state, &out.path(), &lists, keeps, is_dry);
            let pushed = branch.map(push).transpose();
            let _ = state.empty(DEPLOY_FOLDER);
            match pushed? {
                Some(pushed) if is_dry => report::always(&pushed),
                Some(pushed) => report::summary(&pushed),
                None => {}
            }
        }
        Target::Folder(folder) => {
            let to = Destination::new(site, Some(folder));
            build::refuse_dangerous(&to, &config)?;
            if to.overlaps(&out) {
                return Err(Failure::Usage(
                    "the target is the output folder; use another folder".to_owned(),
                ));
            }
            let done = disk::sync(&output_state, &to, args.dry_run)?;
            report_transfer(&done, &to.path(), args.dry_run, started);
        }
        Target::Tool(tool, name) => {
            let lists = state.folder_for(DEPLOY_FOLDER)?;
            let runner = Runner { is_dry: args.dry_run };
            let production = config.deploy.production_branch.as_deref();
            let branch = production.unwrap_or("main");
            let out = out.path();
            let seen = match tool {
                Tool::Rsync | Tool::Rclone => {
                    state.empty(DEPLOY_FOLDER)?;
                    transfer(tool, &runner, &output_state, &out, &name, &lists)
                }
                Tool::Wrangler | Tool::Netlify => {
                    runner.run(&tool.whole(&out, &name, branch), &[]).map(|_| ())
                }
            };
            let _ = state.empty(DEPLOY_FOLDER);
            seen?;
            let seconds = started.elapsed().as_secs_f64();
            if !args.dry_run {
                report::summary(&format!("deployed with {} in {seconds:.2} s", tool.name()));
            }
        }
    }
    Ok(Outcome::Fine)
}

/// Uploads a site with a program that copies single files: first the list of files that convo-site manages, then
/// new files, then changed files; deleted files are removed last.
fn transfer(
    tool: Tool,
    runner: &Runner,
    output_state: &OutputState,
    out: &Path,
    to: &str,
    lists: &Path,
) -> Result<(), Failure> {
    runner.fetch(&tool.fetch_list(to, lists))?;
    let list = lists.join(LIST_NAME);
    let before = match disk::is_there(&list) {
        true => String::from_utf8_lossy(&disk::read(&list)?).into_owned(),
        false => String::new(),
    };
    let plan = TransferPlan::new(output_state, &before).map_err(|name| {
        let shown = visible(&name);
        Failure::Usage(format!("cannot upload `{shown}`: its name is not allowed on hosts"))
    })?;
    let texts = plan.lists();
    if !runner.is_dry {
        disk::replace(&list, texts.during.as_bytes())?;
        runner.run(&tool.send_list(lists, to), &[])?;
        runner.run(&tool.send(out, to, true, false), &plan.assets)?;
        runner.run(&tool.send(out, to, true, false), &plan.pages)?;
    }
    runner.run(&tool.send(out, to, false, runner.is_dry), &plan.assets)?;
    runner.run(&tool.send(out, to, false, runner.is_dry), &plan.pages)?;
    if !plan.removed.is_empty() {
        // Without these folders, rsync warns about each file to remove.
        disk::make_parents(lists, &plan.removed)?;
        runner.run(&tool.remove(lists, to, runner.is_dry), &plan.removed)?;
    }
    if !runner.is_dry {
        disk::replace(&list, texts.after.as_bytes())?;
        runner.run(&tool.send_list(lists, to), &[])?;
    }
    Ok(())
}

/// Reports what a deploy to a folder did or would do.
fn report_transfer(done: &Transferred, to: &Path, is_dry: bool, started: Instant) {
    if is_dry {
        let marks = [("+", &done.new), ("~", &done.changed), ("-", &done.removed)];
        for (mark, paths) in marks {
            paths.iter().for_each(|path| report::output(&format!("{mark} {path}\n")));
        }
    }
    let all = done.new.len() + done.changed.len() + done.same;
    let shown = visible(&to.display().to_string());
    let seconds = started.elapsed().as_secs_f64();
    report::summary(&format!(
        "{} `{shown}` in {seconds:.2} s: {} new, {} changed, {} removed; {} in total",
        if is_dry { "would deploy to" } else { "deployed to" },
        grouped(done.new.len() as u64),
        grouped(done.changed.len() as u64),
        grouped(done.removed.len() as u64),
        plural(all as u64, "file", "files"),
    ));
}
