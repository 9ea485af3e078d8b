mod building;
mod capsules;
mod marks;
mod paths;
mod sets;
mod shape;
mod text;
mod transform;
